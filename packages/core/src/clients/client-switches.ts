/**
 * Metadata of a client that counts only while its switch is on: OpenID Connect Registration §2, RFC 9449 §5.2, RFC 9126 §6.
 * While a switch is off, what a client sends of it is ignored, and an operator who sets it is told which key to set.
 */

import type { RealmRules } from '../realm/realm.js'
import type { Client, SigningAlgorithm } from '../storage/records.js'
import { algorithmFault } from '../util/algorithm-fault.js'
import type { ClientFault } from './client-method.js'
import type { ClientField, ClientSource } from './field.js'
import { CLIENT_FIELD_NAMES, clientFields, fieldsSetBy, type SetBy } from './field-lists.js'
import type { CLIENT_FIELDS } from './fields.js'

type Rows = typeof CLIENT_FIELDS
type Flag = { [Name in keyof Rows]: Rows[Name] extends { needs: object } ? Name : never }[keyof Rows]

/** The switched fields that a client describes itself. */
export type SwitchedFields = Pick<Client, 'id_token_signed_response_alg' | (Flag & SetBy<'registration'>)>

/** Null: the field of the client is absent, or its switch is off. A text: what is wrong with it, as a clause. */
type Sent<Value> = { value: Value | null } | { fault: string }

/** What a client says about itself. The field that is wrong has a fault. */
export type SentFields = { [Field in keyof SwitchedFields]: Sent<NonNullable<SwitchedFields[Field]>> }

/** @param members Of a registration or a metadata document, without those that are null. */
export function sentFields(
  members: ReadonlyMap<string, unknown>,
  source: Exclude<ClientSource, 'operator'>,
  realm: RealmRules,
): SentFields {
  const flags = fieldsSetBy(source).flatMap((name) => {
    const { needs }: ClientField = clientFields[name]
    return needs === undefined ? [] : [[name, sentFlag(members.get(name), needs.is_on(realm))]]
  })
  return {
    id_token_signed_response_alg: sentAlgorithm(members.get('id_token_signed_response_alg'), realm),
    ...(Object.fromEntries(flags) as Omit<SentFields, 'id_token_signed_response_alg'>),
  }
}

function sentFlag(sent: unknown, is_on: boolean): Sent<boolean> {
  if (sent === undefined || !is_on) return { value: null }
  return typeof sent === 'boolean' ? { value: sent } : { fault: 'must be true or false' }
}

/** With RS256 alone there is nothing to choose. */
function sentAlgorithm(sent: unknown, { settings }: RealmRules): Sent<SigningAlgorithm> {
  const { algorithms } = settings.keys
  if (sent === undefined || algorithms.every((alg) => alg === 'RS256')) return { value: null }
  const value = algorithms.find((alg) => alg === sent)
  return value === undefined ? { fault: `must be one of ${algorithms.join(', ')}` } : { value }
}

/** What an operator has set although it is off. */
export function switchFaults(
  realm: RealmRules,
  fields: { [Field in keyof Client]?: Client[Field] | undefined },
): ClientFault[] {
  const algorithm = algorithmFault(realm.settings.keys, fields.id_token_signed_response_alg ?? undefined)
  const faults = algorithm === null ? [] : [{ field: 'id_token_signed_response_alg', fault: algorithm }]
  for (const name of CLIENT_FIELD_NAMES) {
    const { needs }: ClientField = clientFields[name]
    if (needs !== undefined && fields[name] && !needs.is_on(realm))
      faults.push({ field: name, fault: `${needs.what} off: set ${needs.key}` })
  }
  return faults
}
