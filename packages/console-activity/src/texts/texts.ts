/** The texts of the pages. */

import type { KeyOf } from '@ostiary/console'
import { AUDIT } from './audit.js'
import { EVENTS } from './events.js'
import { FIND } from './find.js'
import { HOME } from './home.js'

export const TEXTS = { ...HOME, ...FIND, ...AUDIT, ...EVENTS }

export type OwnKey = KeyOf<typeof TEXTS>
