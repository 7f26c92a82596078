/** A request to these pages. */

import { type Visit, type VisitWith, withTexts } from '@ostiary/console'
import { TEXTS } from './texts/texts.js'

/** With the texts of this package. */
export type OwnVisit = VisitWith<typeof TEXTS>

export const own = (c: Visit): OwnVisit => withTexts(c, TEXTS)

/** A parameter of the address, without spaces around it; empty when it is absent, too long or no plain line. */
export function parameter({ url }: OwnVisit, name: string): string {
  const text = (url.searchParams.get(name) ?? '').trim()
  return text.length <= MAX_PARAMETER && !UNPRINTABLE.test(text) ? text : ''
}

/** The longest `client_id` is the address of a metadata document. */
export const MAX_PARAMETER = 1024

/** Control characters, and half a character. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\ufffd]/u
