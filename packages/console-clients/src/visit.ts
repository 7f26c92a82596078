/** A request to these pages. */

import { type TextOf, textsOf, type Visit } from '@ostiary/console'
import { type OwnKey, TEXTS } from './texts/texts.js'

/** With the texts of this package. */
export interface OwnVisit extends Visit {
  text: TextOf<OwnKey>
}

export const own = (c: Visit): OwnVisit => ({ ...c, text: textsOf(TEXTS, c.language) })
