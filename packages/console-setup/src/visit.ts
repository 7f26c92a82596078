/** A request to these pages. */

import { type Area, type TextOf, textsOf, type Visit } from '@ostiary/console'
import { type OwnKey, TEXTS } from './texts/texts.js'

/** With the texts of this package. */
export interface OwnVisit extends Visit {
  text: TextOf<OwnKey>
}

export const own = (c: Visit): OwnVisit => ({ ...c, text: textsOf(TEXTS, c.language) })

/** A page of an area. Null where there is none. */
export type Page = Promise<Response | null>

/** Why a request does not get the page: what is read takes no form, and a form needs the right to change. Null when it does. */
export function refusalOf(
  { request, may }: OwnVisit,
  changes: Area | null,
): 'method' | 'not_permitted' | null {
  if (changes === null) return request.method === 'POST' ? 'method' : null
  return may(changes, 'write') ? null : 'not_permitted'
}
