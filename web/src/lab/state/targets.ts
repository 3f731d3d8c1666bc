import type { LabFindingKnown, LabSetting } from '../../api/wire.ts'

/** Normalise a typed number: a decimal comma, and a redundant ± or % sign. */
const plain = (typed: string) => typed.trim().replace(/^±/, '').replace(/%$/, '').trim().replace(',', '.')

/** Return the target in its text form; empty without a number or a finding. */
export function targetOf(
  draft: { finding: string; relation: string; number: string; give: string },
  finding: LabFindingKnown | undefined,
): string {
  const number = plain(draft.number)
  if (!number || !finding) return ''
  const sign = finding.share ? '%' : ''
  const give = draft.relation === '=' ? plain(draft.give) : ''
  return `${finding.key} ${draft.relation} ${number}${sign}${give && ` ±${give}${sign}`}`
}

/** Return a target with the words of its finding in place of the key. */
export function targetText(target: string, findings: LabFindingKnown[]): string {
  const [, key, rest] = /^(\S+) (.*)$/s.exec(target) ?? []
  const finding = findings.find((one) => one.key === key)
  return finding ? `${finding.text} ${rest!}` : target
}

/**
 * Return the values from a third below to a third above the current one, for settings with too many values; otherwise
 * an empty string.
 */
export function around(setting: Pick<LabSetting, 'kind' | 'least' | 'most'>, now: string): string {
  const value = Number(now)
  if (setting.kind !== 'whole' || !now.trim() || !Number.isInteger(value)) return ''
  const reach = Math.max(3, Math.round(value / 3))
  return `${Math.max(setting.least ?? 0, value - reach)}..${Math.min(setting.most ?? Infinity, value + reach)}`
}

/** Return the settings that may change, as on the command line: `wounds`, `limit=15..30`. */
export const varied = (vary: Record<string, string>): string[] =>
  Object.entries(vary).map(([name, values]) => (values.trim() ? `${name}=${values.trim()}` : name))
