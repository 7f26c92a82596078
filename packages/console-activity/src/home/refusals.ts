/** What was refused most often since midnight, by reason. */

import { adviceLink, code, emptyState, pathOf, section, table } from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import { eventName, midnight, newestRows, reasonOf, type ShownRow } from '../rows/row.js'
import { REFUSED } from '../rows/types.js'
import type { OwnVisit } from '../visit.js'

/** The sentence with the remedy; null for an event without one. */
export type HintOf = (event: { type: string; reason?: string }) => string | null

const MAX_SHOWN = 5
/** Rows of each type that are looked at; one is up to a minute of the same refusal. */
const LOOKED_AT = '200'

interface Counted {
  type: string
  reason: string
  count: number
}

/** The most frequent ones first. */
export function countedReasons(rows: readonly ShownRow[]): Counted[] {
  const counts = new Map<string, Counted>()
  for (const row of rows) {
    const reason = reasonOf(row)
    if (reason === null) continue
    const key = `${row.type} ${reason}`
    const { count } = counts.get(key) ?? { count: 0 }
    counts.set(key, { type: row.type, reason, count: count + row.count })
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)
}

/** False where the administrator may not read it. */
export async function refusalsSection(c: OwnVisit, hintOf: HintOf): Promise<Html | false> {
  if (!c.may('audit', 'read')) return false
  const { html, text } = c
  const since = midnight(c)
  const read = await Promise.all(REFUSED.map((type) => newestRows(c, { type, since, limit: LOOKED_AT })))
  const counted = countedReasons(read.flat()).slice(0, MAX_SHOWN)
  const title = text('refusals.title')
  if (counted.length === 0)
    return section(
      c,
      title,
      emptyState(c, { title: text('refusals.none'), sentence: text('refusals.none_why') }),
    )
  const columns = [text('sign_ins.reason'), text('refusals.count'), text('explain.what_to_do')]
  const rows = counted.map(({ type, reason, count }) => {
    const href = `${pathOf(c, 'sign-ins')}?${new URLSearchParams({ reason })}`
    const hint = hintOf({ type, reason })
    return [
      html`<span><a href="${href}">${code(c, reason)}</a><br><small>${eventName(c, type)}</small></span>`,
      html`<span class="number">${new Intl.NumberFormat(c.language).format(count)}</span>`,
      hint === null ? '–' : html`<p lang="en">${hint} ${adviceLink(c, hint)}</p>`,
    ]
  })
  return section(c, title, table(c, { label: title, columns, rows }))
}
