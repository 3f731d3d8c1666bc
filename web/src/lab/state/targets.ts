import type { LabFindingKnown, LabSetting } from '../../api/wire.ts'

/** A number as phones type it, too: with a comma, or with the sign that goes without saying. */
const plain = (typed: string) =>
  typed
    .trim()
    .replace(/^±\s*|\s*%$/g, '')
    .replace(',', '.')

/** A target of what was picked and typed; nothing as long as no number was. */
export function builtTarget(
  draft: { finding: string; relation: string; number: string; give: string },
  finding: LabFindingKnown | undefined,
): string {
  const number = plain(draft.number)
  if (!number || !finding) return ''
  const sign = finding.share ? '%' : ''
  const give = draft.relation === '=' ? plain(draft.give) : ''
  return `${finding.key} ${draft.relation} ${number}${sign}${give && ` ±${give}${sign}`}`
}

/** A target as people read it: with the words of its finding, where it names one by its key. */
export function targetSaid(target: string, findings: LabFindingKnown[]): string {
  const [, key, rest] = /^(\S+) (.*)$/s.exec(target) ?? []
  const finding = findings.find((one) => one.key === key)
  return finding ? `${finding.text} ${rest!}` : target
}

/** Where a setting can be too much to try it all: what is about a third less and more than it is; else nothing. */
export function around(setting: Pick<LabSetting, 'kind' | 'least' | 'most'>, now: string): string {
  const value = Number(now)
  if (setting.kind !== 'whole' || !now.trim() || !Number.isInteger(value)) return ''
  const reach = Math.max(3, Math.round(value / 3))
  return `${Math.max(setting.least ?? 0, value - reach)}..${Math.min(setting.most ?? Infinity, value + reach)}`
}

/** What may be changed, as one writes it: `wounds`, `limit=15..30`. */
export const varied = (vary: Record<string, string>): string[] =>
  Object.entries(vary).map(([name, values]) => (values.trim() ? `${name}=${values.trim()}` : name))
