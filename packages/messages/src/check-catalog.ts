/** Checks the languages that an operator adds, before a page is made with them. */

import { type ConfigFault, withSuggestion } from '@ostiary/core'
import { type Catalog, en, type MessageKey } from './catalogs.js'
import { type Message, partsOf } from './message.js'

/** Texts of a language that is not built in, or other texts for one that is. */
export interface LanguageCatalog {
  /** BCP 47, e.g. `pt-BR`. */
  language: string
  /** The direction of the script; derived from the language when absent. */
  direction?: 'ltr' | 'rtl'
  /** Texts by the names of the built-in messages. For a missing one, pages show the built-in text. */
  messages?: Readonly<Record<string, Message>>
  /** What each scope of `oidc.scopes` allows, in this language. */
  scopes?: Readonly<Record<string, string>>
}

/** The languages of the pages. */
export interface LanguagesOptions {
  /** The language for browsers that ask for no known one; `en` when absent. */
  default?: string
  /** Further languages, and other texts for the built-in ones. */
  catalogs?: readonly LanguageCatalog[]
}

const MAX_TEXT_LENGTH = 1000
const KEYS = ['language', 'direction', 'messages', 'scopes']
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other']

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with a catalog, with paths below it. */
export function catalogFaults(catalog: unknown): ConfigFault[] {
  if (!isGroup(catalog)) return [{ path: '', message: 'give an object with "language" and "messages"' }]
  const { language, direction, messages = {}, scopes = {} } = catalog
  const unknown = Object.keys(catalog).filter((key) => !KEYS.includes(key))
  return [
    ...unknown.map((key) => ({ path: key, message: `unknown key; the keys are ${KEYS.join(', ')}` })),
    ...fault('language', languageFault(language)),
    ...fault('direction', direction === undefined ? null : directionFault(direction)),
    ...groupFaults('messages', messages, messageFault).map(withMeantKey),
    ...groupFaults('scopes', scopes, (_, text) => textFault(text, [], [])),
  ]
}

/** What is wrong with the text for this message, or null. */
export function messageFault(key: string, message: unknown): string | null {
  if (!Object.hasOwn(en, key)) return 'there is no message with this name; docs/messages.md lists the names'
  const parameters = parametersOf((en as Catalog)[key as MessageKey])
  if (typeof message === 'string') return textFault(message, parameters, parameters)
  if (!parameters.includes('count')) return 'give a text'
  if (!isGroup(message)) return 'give a text, or an object with a text for each plural category'
  const unknown = Object.keys(message).find((category) => !CATEGORIES.includes(category))
  if (unknown !== undefined)
    return `${JSON.stringify(unknown)} is not a plural category; they are ${CATEGORIES.join(', ')}`
  if (message.other === undefined) return 'the plural category "other" is missing'
  // "One more" needs no number.
  const required = parameters.filter((name) => name !== 'count')
  for (const [category, text] of Object.entries(message)) {
    const found = textFault(text, parameters, category === 'other' ? parameters : required)
    if (found !== null) return `${category}: ${found}`
  }
  return null
}

/** What is wrong with a text that may have some parameters and must have others, or null. */
function textFault(text: unknown, allowed: readonly string[], required: readonly string[]): string | null {
  if (typeof text !== 'string' || text.trim() === '') return 'give a text'
  if (text.length > MAX_TEXT_LENGTH) return `the text has more than ${MAX_TEXT_LENGTH} characters`
  if (/<[a-z/!]/i.test(text)) return 'write plain text: markup would be shown, not applied'
  const present = parametersOf(text)
  const unknown = present.find((name) => !allowed.includes(name))
  if (unknown !== undefined) return `the parameter {${unknown}} does not exist here${listed(allowed)}`
  const missing = required.find((name) => !present.includes(name))
  if (missing !== undefined) return `the parameter {${missing}} is missing`
  const stray = partsOf(text).some((part) => typeof part === 'string' && /[{}]/.test(part))
  return stray ? `a brace belongs to no parameter${listed(allowed)}` : null
}

/** Names the message that was probably meant. */
function withMeantKey(found: ConfigFault): ConfigFault {
  const key = found.path.slice('messages.'.length)
  return Object.hasOwn(en, key) ? found : withSuggestion(found, key, Object.keys(en))
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; write ${names.map((name) => `{${name}}`).join(', ')}`

/** The names of the parameters of a message, each once. */
function parametersOf(message: Message): string[] {
  const names = partsOf(typeof message === 'string' ? message : message.other).flatMap((part) =>
    typeof part === 'string' ? [] : [part.parameter],
  )
  return [...new Set(typeof message === 'string' ? names : [...names, 'count'])]
}

const groupFaults = (
  path: string,
  group: unknown,
  check: (key: string, value: unknown) => string | null,
): ConfigFault[] =>
  isGroup(group)
    ? Object.entries(group).flatMap(([key, value]) => fault(`${path}.${key}`, check(key, value)))
    : [{ path, message: 'give an object with a text for each name' }]

const fault = (path: string, message: string | null): ConfigFault[] =>
  message === null ? [] : [{ path, message }]

const directionFault = (direction: unknown): string | null =>
  direction === 'ltr' || direction === 'rtl' ? null : 'give ltr or rtl'

function languageFault(language: unknown): string | null {
  const wrong = 'give a language tag such as pt or pt-BR'
  if (typeof language !== 'string' || language.length > 35) return wrong
  try {
    new Intl.Locale(language)
    return null
  } catch {
    return wrong
  }
}
