/** The texts of these pages. */

import { WORDS } from '@ostiary/console'
import { CLIENTS } from './clients.js'
import { TRY } from './try.js'

export const TEXTS = { ...WORDS, ...CLIENTS, ...TRY }
