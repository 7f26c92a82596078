import type { ConsentScope } from '@ostiary/core'
import { en } from '@ostiary/messages'
import { type Html, html } from './html.js'
import type { Language } from './language.js'

/** The scopes that core describes. */
const BUILT_IN = ['openid', 'profile', 'email', 'address', 'phone'] as const

/** Whether this is a scope that every realm has: it shows something of the user, and changes nothing. */
export const isBuiltIn = ({ value }: ConsentScope): boolean => BUILT_IN.some((name) => name === value)

/**
 * What a scope allows: the operator's text in this language, else the operator's description, else the built-in text. A
 * scope without any is shown by its name.
 */
export function scopeText(language: Language, { value, description }: ConsentScope): Html | string {
  const added = language.scope(value)
  if (added !== null) return added
  const known = BUILT_IN.find((name) => name === value)
  // Another description is the operator's.
  if (known && description === en[`scope.${known}`]) return language.text(`scope.${known}`)
  return description ?? html`<code>${value}</code>`
}
