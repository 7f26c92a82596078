/** The ids of the rules: those of a person's records end with the tag of the person, as core makes them. */

import { personTag, tagOf } from '@ostiary/core'

const DEFAULT_PERSON = 'person'

/** The names of one test: the same id for the same name, and other ids in every test. */
export interface Names {
  /** The beginning of each id. */
  prefix: string
  /**
   * It ends with the tag of the person, as the ids of that person's records do; those of other records may.
   * @param sub The default is `person()`.
   */
  id(name: string, sub?: string): string
  /** The key of a record of the realm: it ends with no tag. */
  key(name: string): string
  /** The `sub` of the person with this name. */
  person(name?: string): string
}

/** The beginning `id-`, because an id must not begin with one of the odd texts of records.ts, and a UUID may begin with "0". */
const newPrefix = (): string => `id-${crypto.randomUUID()}`

const PREFIX_LENGTH = newPrefix().length

export function newNames(): Names {
  const prefix = newPrefix()
  const key = (name: string) => `${prefix}-${name}`
  const person = (name = DEFAULT_PERSON) => key(name)
  const default_tag = personTag(person())
  const id = (name: string, sub?: string) => key(name) + (sub === undefined ? default_tag : personTag(sub))
  return { prefix, id, key, person }
}

/** The `sub` of the person of an id without another one. */
export const personOf = (id: string): string => `${id.slice(0, PREFIX_LENGTH)}-${DEFAULT_PERSON}`

/** The id of another record of the same person: for `id('a')` and "code", it is `id('a-code')`. */
export const withPart = (id: string, part: string): string =>
  `${id.slice(0, -tagOf(id).length)}-${part}${tagOf(id)}`

/** A `sub` with another tag than this one: its records are in another bucket. */
export function elsewhere(sub: string): string {
  let other = `${sub}-elsewhere`
  while (personTag(other) === personTag(sub)) other += '-'
  return other
}
