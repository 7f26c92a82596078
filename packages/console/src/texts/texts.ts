/** The texts of the console. */

import { ACCESS } from './access.js'
import { USERS } from './accounts.js'
import { LIMITS } from './limits.js'
import { REFUSALS } from './refusals.js'
import { SHELL } from './shell.js'
import { SIGN_IN } from './sign-in.js'
import { type KeyOf, type TextOf, textsOf } from './texts-of.js'

export const TEXTS = { ...SHELL, ...REFUSALS, ...SIGN_IN, ...USERS, ...LIMITS, ...ACCESS }

export type TextKey = KeyOf<typeof TEXTS>

export type OwnText = TextOf<TextKey>

/** The texts in the language of a request. */
export const textOf = ({ language }: { language: string }): OwnText => textsOf(TEXTS, language)
