/** A request to these pages. */

import { type Visit, type VisitWith, withTexts } from '@ostiary/console'
import { TEXTS } from './texts/texts.js'

/** With the texts of this package. */
export type OwnVisit = VisitWith<typeof TEXTS>

export const own = (c: Visit): OwnVisit => withTexts(c, TEXTS)
