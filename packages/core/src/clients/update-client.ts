/** Changes a client, for an operator, by the rules of a configured client. */

import { ClientInputError, clientIdFault } from '../http/program-errors.js'
import type { RealmContext } from '../realm/context.js'
import { type Client, isTombstone } from '../storage/storage.js'
import { SECRET_METHODS } from '../util/auth-methods.js'
import { newSecret, sha256 } from '../util/secret.js'
import { clientInput, clientRecord } from './client-input.js'
import type { ClientInput } from './client-options.js'
import { type ClientCredentials, checkedInput } from './create-client.js'

/** The fields to change. Null sets a field to its default; an absent field stays as it is. */
export type ClientChanges = {
  [Field in keyof Omit<ClientInput, 'client_id'>]?: ClientInput[Field] | null
} & {
  /** True: the client gets a secret if it has none. False: it becomes public. Both drop its keys. */
  confidential?: boolean
}

/** How the changes of a client are found. */
export interface ClientUpdateOptions {
  /** The record that the administrator has seen. If another one is stored, nothing changes. */
  expected?: Client
  /** True: nothing is stored, and the result is what would be. */
  plan?: boolean
}

/** A changed client. */
export interface ClientUpdate extends ClientCredentials {
  /** The names of the changed fields; empty when the client was like this already. */
  changed: string[]
}

/** Another administrator has changed the client since it was read. Nothing was changed; read it again. */
export class ClientConflictError extends Error {
  constructor(client_id: string) {
    super(`The client ${client_id} was changed meanwhile by another administrator; read it again`)
    this.name = 'ClientConflictError'
  }
}

/** An attempt fails when another writer changes the client between its read and its write. */
export const MAX_ATTEMPTS = 5

/**
 * Null when there is no such client.
 * @param changes Also a function of the stored record; it is called again if the record changes meanwhile.
 * @throws ClientInputError, ClientConflictError
 */
export async function updateClient(
  c: RealmContext,
  client_id: string,
  {
    changes,
    expected,
    plan = false,
  }: { changes: ClientChanges | ((stored: Client) => ClientChanges) } & ClientUpdateOptions,
): Promise<ClientUpdate | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const stored = await c.storage.clients.findStored(client_id)
    if (stored === null || isTombstone(stored)) return null
    if (expected !== undefined && changedFields(stored, expected).length > 0)
      throw new ClientConflictError(client_id)
    const { client, client_secret } = changedClient(
      c,
      stored,
      typeof changes === 'function' ? changes(stored) : changes,
    )
    const changed = changedFields(stored, client)
    if (changed.length === 0 || plan) return { client, client_secret, changed }
    if (await c.storage.clients.update(client, stored)) {
      c.emit({ type: 'client.updated', client_id, fields: changed })
      return { client, client_secret, changed }
    }
  }
  throw new ClientConflictError(client_id)
}

/** The names of the fields in which two records differ. Of the secret, only whether it is another one. */
export function changedFields(one: Client, other: Client): string[] {
  const fields = Object.keys(one) as (keyof Client)[]
  const differing = fields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))
  return differing.map((field) => (field === 'client_secret_hash' ? 'client_secret' : field))
}

function changedClient(c: RealmContext, stored: Client, changes: ClientChanges): ClientCredentials {
  if ('client_id' in changes) throw clientIdFault('it cannot change')
  if (stored.revoked_at !== null) throw clientIdFault('this client is revoked, for good; create another one')
  const had_secret = stored.client_secret_hash !== null
  const confidential = staysConfidential(changes, had_secret)
  const { confidential: _, ...named } = changes
  const replaced = replacedAuthentication(changes, { stored, secret_changes: confidential !== had_secret })
  const input = { ...storedInput(stored), ...replaced, ...named }
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined)
  const checked = checkedInput(c, Object.fromEntries(given), { confidential })
  if (stored.origin !== 'operator' && !checked.require_pkce)
    throw new ClientInputError([
      { field: 'require_pkce', fault: 'a client that registered itself must use PKCE; create another one' },
    ])
  const client_secret = confidential && !had_secret ? newSecret(c.random) : null
  const { client_id_issued_at, origin, expires_at, revoked_at, not_before } = stored
  const kept_hash = confidential ? stored.client_secret_hash : null
  const client_secret_hash = client_secret === null ? kept_hash : sha256(client_secret)
  const record = clientRecord(checked, { client_secret_hash, now: client_id_issued_at })
  return { client: { ...record, origin, expires_at, revoked_at, not_before }, client_secret }
}

/** The named method or keys decide, as for a new client; without one, the client stays as it is. */
function staysConfidential(changes: ClientChanges, had_secret: boolean): boolean {
  const { confidential, token_endpoint_auth_method: method, token_endpoint_auth_methods: methods } = changes
  if (confidential !== undefined) return confidential
  if (isGiven(method)) return SECRET_METHODS.some((known) => known === method)
  return isGiven(methods) || (had_secret && !namesKeys(changes))
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const namesKeys = ({ jwks, jwks_uri }: ClientChanges): boolean => isGiven(jwks) || isGiven(jwks_uri)

/**
 * The stored fields that are left out: the methods, when another one is named or when they are for a secret that comes or
 * goes; the keys, when others are named or when the client no longer uses them.
 */
function replacedAuthentication(
  changes: ClientChanges,
  { stored, secret_changes }: { stored: Client; secret_changes: boolean },
): ClientChanges {
  const { confidential, token_endpoint_auth_method: method, token_endpoint_auth_methods: methods } = changes
  const had_keys = stored.token_endpoint_auth_method === 'private_key_jwt'
  const is_named = isGiven(method) || isGiven(methods) || confidential !== undefined
  const keeps_keys = is_named ? method === 'private_key_jwt' : had_keys
  const uses_keys = keeps_keys || namesKeys(changes)
  const is_named_anew = method !== undefined || methods !== undefined || namesKeys(changes)
  return {
    ...((is_named_anew || secret_changes || had_keys !== uses_keys) && NO_METHODS),
    ...((namesKeys(changes) || !uses_keys) && { jwks: null, jwks_uri: null }),
    ...(!uses_keys && { token_endpoint_auth_signing_alg: null }),
  }
}

const NO_METHODS = { token_endpoint_auth_method: null, token_endpoint_auth_methods: null }

const INPUT_FIELDS = Object.keys(clientInput.shape) as (keyof ClientInput)[]

/** The input that describes the stored client. */
const storedInput = (client: Client): Record<string, unknown> =>
  Object.fromEntries(INPUT_FIELDS.map((field) => [field, client[field]]))
