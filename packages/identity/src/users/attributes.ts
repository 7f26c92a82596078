/** Attributes and groups of users: values that the provider can make claims of. Bounded, and of a form that every database stores. */

import { isStorableText } from '@ostiary/core/common'

/** Values by name. A value is what JSON can write. */
export type Attributes = Record<string, unknown>

const MAX_ATTRIBUTES = 100
const MAX_NAME_LENGTH = 128
const MAX_GROUPS = 500
const MAX_GROUP_LENGTH = 255
/** The record of a user is read for each request with its token, so attributes and groups have this size at most, each. */
const MAX_JSON_CHARACTERS = 16_384
/** A list in a list is two levels. */
const MAX_LEVELS = 8

/** What is wrong with a user's attributes, as a clause; null when nothing is. */
export function attributesFault(attributes: unknown): string | null {
  if (!isPlainObject(attributes)) return 'attributes must be an object: values by name'
  const entries = Object.entries(attributes)
  if (entries.length > MAX_ATTRIBUTES) return `attributes must have at most ${MAX_ATTRIBUTES} names`
  for (const [name, value] of entries) {
    const fault = nameFault(name) ?? valueFault(value, MAX_LEVELS)
    if (fault !== null) return `attribute ${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))}: ${fault}`
  }
  return sizeFault('attributes', attributes)
}

/** What is wrong with a user's groups, as a clause; null when nothing is. */
export function groupsFault(groups: unknown): string | null {
  if (!Array.isArray(groups)) return 'groups must be a list of names'
  if (groups.length > MAX_GROUPS) return `groups must have at most ${MAX_GROUPS} names`
  const isName = (name: unknown) =>
    typeof name === 'string' &&
    name !== '' &&
    name.length <= MAX_GROUP_LENGTH &&
    !/[\p{Cc}\p{Cs}]/u.test(name)
  const index = groups.findIndex((name) => !isName(name))
  if (index >= 0)
    return `groups.${index} must have 1 to ${MAX_GROUP_LENGTH} characters, and no control characters or unpaired surrogates`
  return sizeFault('groups', groups)
}

function nameFault(name: string): string | null {
  if (name === 'groups') return 'write the groups of a user under groups, beside attributes'
  const isName = name.length <= MAX_NAME_LENGTH && /^[\x21-\x7e]+$/.test(name) && name !== '__proto__'
  return isName ? null : `a name has 1 to ${MAX_NAME_LENGTH} printable ASCII characters, and no spaces`
}

function valueFault(value: unknown, levels: number): string | null {
  if (value === null || typeof value === 'boolean') return null
  if (typeof value === 'string') return textFault(value)
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'a number must be finite'
  const isObject = isPlainObject(value)
  if (!isObject && !Array.isArray(value)) return 'a value must be what JSON can write'
  if (levels === 0) return `a value must have at most ${MAX_LEVELS} levels of lists and objects`
  for (const [name, inner] of Object.entries(value)) {
    const fault = (isObject ? textFault(name) : null) ?? valueFault(inner, levels - 1)
    if (fault !== null) return fault
  }
  return null
}

const textFault = (text: string): string | null =>
  isStorableText(text) ? null : 'a text must not contain NUL or an unpaired surrogate'

const sizeFault = (what: string, value: unknown): string | null =>
  JSON.stringify(value).length > MAX_JSON_CHARACTERS
    ? `${what} must have at most ${MAX_JSON_CHARACTERS} characters of JSON`
    : null

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
