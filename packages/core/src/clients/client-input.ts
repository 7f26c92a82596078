/** A client as an operator describes it: the metadata of RFC 7591 §2, and fields that only an operator may set. */

import * as z from 'zod'
import { assignmentFault, resourceNameFault } from '../realm/create-realm.js'
import { longestTokenLifetime, type Realm } from '../realm/realm.js'
import type { Client } from '../storage/storage.js'
import { SECRET_METHODS } from '../util/auth-methods.js'
import { backchannelUriFault } from './client-metadata.js'
import { apiFaults, type ClientFault, clientProfileFaults, hasKeys, methodFaults } from './client-method.js'
import { switchFaults } from './client-switches.js'
import type { ClientField } from './field.js'
import { ABSENT_FIELDS, clientFields, fieldsSetBy, type SetBy } from './field-lists.js'
import { CLIENT_FIELDS } from './fields.js'

type Rows = typeof CLIENT_FIELDS
type InputShape = { [Name in SetBy<'operator'>]: Rows[Name]['input'] }

/** A client as an operator writes it down: registration's names, and those that registration can never set. */
export const clientInput = z.strictObject(
  Object.fromEntries(fieldsSetBy('operator').map((name) => [name, CLIENT_FIELDS[name].input])) as InputShape,
)

/** A `ClientInput` after the schema has checked it and filled in the defaults. */
export type CheckedClientInput = z.output<typeof clientInput>

/**
 * The rules that the schema of the single fields cannot hold.
 * @param confidential Whether the client has a secret.
 */
export function clientFaults(realm: Realm, input: CheckedClientInput, confidential: boolean): ClientFault[] {
  const faults = methodFaults(realm, input, confidential)
  faults.push(...clientProfileFaults(realm, input), ...apiFaults(realm, input, confidential))
  faults.push(...switchFaults(realm, input))
  const { redirect_uris, grant_types, backchannel_logout_uri: uri, required_acr } = input
  const add = (field: string, fault: string | null) => fault !== null && faults.push({ field, fault })
  if (grant_types.includes('authorization_code') && redirect_uris.length === 0)
    add('redirect_uris', 'the authorization_code grant needs at least one')
  if (uri !== undefined)
    add('backchannel_logout_uri', backchannelUriFault(uri, realm.policy.reaches_loopback))
  const { acr_values_supported } = realm.settings
  if (required_acr !== undefined && !acr_values_supported.includes(required_acr))
    add('required_acr', `must be one of oidc.acr_values_supported: ${acr_values_supported.join(', ')}`)
  for (const field of ['default_scopes', 'optional_scopes'] as const)
    add(field, assignmentFault(realm, input[field] ?? []))
  const { default_resource, access_token_lifetime = 0 } = input
  const longest = longestTokenLifetime(realm.settings)
  if (access_token_lifetime > longest)
    add(
      'access_token_lifetime',
      `more than ${longest} seconds, the longest lifetime in oidc.tokens, for which signing keys stay published`,
    )
  add('default_resource', resourceNameFault(realm, default_resource))
  return faults
}

/** The record of a checked input. */
export function clientRecord(
  input: CheckedClientInput,
  { client_secret_hash, now }: { client_secret_hash: string | null; now: number },
): Client {
  const described = fieldsSetBy('operator').map((name) => [name, storedValue(name, input[name])])
  return {
    ...ABSENT_FIELDS,
    ...Object.fromEntries(described),
    client_secret_hash,
    client_name: input.client_name ?? input.client_id,
    ...authenticationMethods(input, client_secret_hash !== null),
    client_id_issued_at: now,
  }
}

function storedValue<Name extends SetBy<'operator'>>(name: Name, value: CheckedClientInput[Name]): unknown {
  const { record, absent }: ClientField = clientFields[name]
  if (value === undefined) return absent
  return record === undefined ? value : record(value as never)
}

/** A client that has a secret and names no method may use both secret methods; libraries differ in their default. */
function authenticationMethods(
  input: CheckedClientInput,
  confidential: boolean,
): Pick<Client, 'token_endpoint_auth_method' | 'token_endpoint_auth_methods'> {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods: named } = input
  if (hasKeys(input))
    return { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods: null }
  if (!confidential) return { token_endpoint_auth_method: 'none', token_endpoint_auth_methods: null }
  const single = method === undefined ? SECRET_METHODS : [method]
  const methods = SECRET_METHODS.filter((known) => (named ?? single).includes(known))
  const first = method ?? methods.find((known) => known === 'client_secret_post') ?? methods[0] ?? 'none'
  return {
    token_endpoint_auth_method: first,
    token_endpoint_auth_methods: methods.length > 1 ? methods : null,
  }
}
