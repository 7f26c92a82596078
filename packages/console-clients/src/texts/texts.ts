/** The texts of these pages. */

import { WORDS } from '@ostiary/console'
import { CLIENTS } from './clients.js'

export const TEXTS = { ...WORDS, ...CLIENTS }
