import type { LabFindingKnown } from '../lib/wire.ts'

/** A target of what was picked and typed; nothing as long as no number was. */
export function builtTarget(
  draft: { finding: string; relation: string; number: string },
  finding: LabFindingKnown | undefined,
): string {
  const number = draft.number.trim().replace(/\s*%$/, '')
  if (!number || !finding) return ''
  return `${finding.key} ${draft.relation} ${number}${finding.share ? '%' : ''}`
}

/** A target as people read it: with the words of its finding, where it names one by its key. */
export function targetSaid(target: string, findings: LabFindingKnown[]): string {
  const [, key, rest] = /^(\S+) (.*)$/s.exec(target) ?? []
  const finding = findings.find((one) => one.key === key)
  return finding ? `${finding.text} ${rest!.replace(/%/g, ' %')}` : target
}

/** What may be changed, as one writes it: `wounds`, `limit=15..30`. */
export const varied = (vary: Record<string, string>): string[] =>
  Object.entries(vary).map(([name, values]) => (values.trim() ? `${name}=${values.trim()}` : name))
