/** The texts of these pages. */

import { type KeyOf, WORDS } from '@ostiary/console'
import { CLIENTS } from './clients.js'

export const TEXTS = { ...WORDS, ...CLIENTS }

export type OwnKey = KeyOf<typeof TEXTS>
