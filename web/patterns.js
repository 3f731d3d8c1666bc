/**
 * Print which regular expressions can take more than linear time, as JSON: those on stdin, `[place, pattern, flags]`
 * each, and those in the files that the arguments name.
 */
import { readFileSync } from 'node:fs'
import { check } from 'recheck'
import { parse } from 'svelte/compiler'
import ts from 'typescript'

/** The analysis is exact, so it fails for patterns that look around or refer back. */
const OPTIONS = { checker: 'automaton', timeout: 60_000, maxRepeatCount: 200 }

function* inScript(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found = []
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp') found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const one of found) {
    if (typeof one !== 'string') yield [file, null, one.getText(source)]
    else yield [file, one.slice(1, one.lastIndexOf('/')), one.slice(one.lastIndexOf('/') + 1)]
  }
}

function* inSvelte(file, text) {
  const seen = [parse(text, { filename: file, modern: true })]
  while (seen.length) {
    const node = seen.pop()
    if (node.regex) yield [file, node.regex.pattern, node.regex.flags]
    if (node.type === 'NewExpression' && node.callee.name === 'RegExp')
      yield [file, null, text.slice(node.start, node.end)]
    for (const value of Object.values(node)) if (value && typeof value === 'object') seen.push(value)
  }
}

const patterns = JSON.parse(readFileSync(0, 'utf8'))
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8')
  patterns.push(...(file.endsWith('.svelte') ? inSvelte(file, text) : inScript(file, text)))
}

async function fault([place, pattern, flags]) {
  if (pattern === null) return `${place}: ${flags} is made at run time, so it can't be checked`
  const { status, complexity, error } = await check(pattern, flags, OPTIONS)
  return status === 'safe' ? null : `${place}: ${pattern} (${complexity?.summary ?? error?.message ?? error?.kind})`
}

const distinct = new Map(patterns.map((one) => [one.slice(1).join(' '), one]))
const slow = (await Promise.all([...distinct.values()].map(fault))).filter((one) => one !== null)
console.log(JSON.stringify({ checked: patterns.length, slow }))
