/** Draws a plot: the large library, fetched when the first one is to be seen. */
import { parse, View } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'

/**
 * Draw a plot, given in Vega-Lite's terms, in an element. What it computes is interpreted: the page's security policy
 * has no text made into program.
 */
export async function draw(element: HTMLElement, spec: object, look: object): Promise<View> {
  const plot = compile(spec as TopLevelSpec, { config: look as Config }).spec
  const view = new View(parse(plot, undefined, { ast: true }), {
    container: element,
    renderer: 'svg',
    expr: expressionInterpreter,
    hover: true,
  })
  return view.runAsync()
}
