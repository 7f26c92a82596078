/** The counters of limits of a user, and whether one keeps the user out. */

import type { Html } from '@ostiary/identity'
import { code, linkButton, pill, section, table, timeOf } from '../pages/parts.js'
import { apiPath, pathOf } from '../paths.js'
import { LIMITS } from '../texts/limits.js'
import type { TextKey } from '../texts/texts.js'
import type { OwnVisit } from '../visit.js'
import { itemsOf } from './items.js'
import type { ShownUser } from './user.js'

/** A counter that is not zero. */
export interface ShownThrottle {
  limit: string
  counted: number
  maximum: number
  /** Epoch seconds. */
  until: number
}

/** Those that refuse each browser that has not signed in to the account before. */
const EVERYWHERE = ['account', 'code', 'code_day']
/** Those that refuse one address, browser or session. */
const AT_ONE_PLACE = ['account_and_address', 'device', 'session', 'code_device', 'code_device_day']

export const limitsOf = (c: OwnVisit, { username }: ShownUser): Promise<ShownThrottle[]> =>
  itemsOf<ShownThrottle>(c, apiPath(c, 'throttles'), { username })

/** After as many, the next attempt is refused. */
const isReached = ({ counted, maximum }: ShownThrottle): boolean => counted >= maximum

const endOf = (throttles: readonly ShownThrottle[], limits: readonly string[]): number | null => {
  const ends = throttles.filter((each) => isReached(each) && limits.includes(each.limit))
  return ends.length === 0 ? null : Math.max(...ends.map(({ until }) => until))
}

/** Until when limits refuse a sign-in; null where none does. */
export function lockOf(throttles: readonly ShownThrottle[]): { until: number; everywhere: boolean } | null {
  const everywhere = endOf(throttles, EVERYWHERE)
  if (everywhere !== null) return { until: everywhere, everywhere: true }
  const until = endOf(throttles, AT_ONE_PLACE)
  return until === null ? null : { until, everywhere: false }
}

/** What keeps the user out, in a sentence. */
export function lockNote(c: OwnVisit, throttles: readonly ShownThrottle[]): Html | false {
  const { html, text } = c
  const lock = lockOf(throttles)
  if (lock === null) return false
  const { until, everywhere } = lock
  return html`<p class="note warning">${text('limits.locked_until')} ${timeOf(c, until)}. ${text(everywhere ? 'limits.everywhere' : 'limits.at_one_place')}</p>`
}

export function limitsSection(c: OwnVisit, { sub }: ShownUser, throttles: readonly ShownThrottle[]): Html {
  const { html, text } = c
  const title = text('limits.title')
  if (throttles.length === 0) return section(c, title, html`<p class="aside">${text('limits.none')}</p>`)
  const shown = html`${table(c, {
    label: title,
    columns: [text('limits.limit'), text('limits.counted'), text('word.until')],
    rows: throttles.map((each) => [
      nameOf(c, each.limit),
      html`${each.counted} / ${each.maximum}${isReached(each) && html` ${pill(c, text('limits.reached'), 'bad')}`}`,
      timeOf(c, each.until),
    ]),
  })}
${c.may('users', 'write') && html`<p>${linkButton(c, { href: pathOf(c, 'users', sub, 'limits'), text: text('limits.reset') })}</p>`}`
  return section(c, title, shown)
}

/** In words, with the name that the events and the commands have. */
function nameOf(c: OwnVisit, limit: string): Html {
  const { html } = c
  const known = Object.hasOwn(LIMITS.limit, limit)
  return html`${known && html`<span>${c.text(`limit.${limit}` as TextKey)}</span><br>`}${code(c, limit)}`
}
