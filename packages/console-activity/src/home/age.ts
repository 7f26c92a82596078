/** How long ago something was, in the words of the language. */

import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Such as "3 days ago". @param at Epoch seconds. */
export function ageOf({ html, language, now }: OwnVisit, at: number): Html {
  const seconds = Math.max(0, now - at)
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1]
  const words = new Intl.RelativeTimeFormat(language).format(-Math.floor(seconds / length), unit)
  return html`<time datetime="${new Date(at * 1000).toISOString()}">${words}</time>`
}
