import { parse, View } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'

/**
 * Draw a plot, specified in Vega-Lite, in an element. Its expressions are interpreted, because the page's security
 * policy forbids compiling text to code. The large library is fetched for the first plot.
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
