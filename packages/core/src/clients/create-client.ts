/** Creates the clients of an operator, by the rules of a configured client, and generates their secrets. */

import type { ZodError } from 'zod'
import { formatConfigFault } from '../config/config-error.js'
import { configFaults } from '../config/faults.js'
import { ClientInputError, clientIdFault } from '../http/program-errors.js'
import type { RealmContext } from '../realm/context.js'
import { type Client, isTombstone } from '../storage/storage.js'
import { readBy } from '../util/schema-text.js'
import { newId, newSecret, sha256 } from '../util/secret.js'
import { clientSecretFault, secretHashFault } from '../util/secret-strength.js'
import { type CheckedClientInput, clientFaults, clientInput, clientRecord } from './client-input.js'
import { type ClientFault, hasKeys } from './client-method.js'
import type { ClientInput } from './client-options.js'

/** The input for a new client. */
export interface NewClient extends Omit<ClientInput, 'client_id'> {
  /** Random when absent. */
  client_id?: string
  /**
   * True: it gets a secret. When absent, `client_secret` and then the named authentication method decide; a client with keys has
   * none.
   */
  confidential?: boolean
  /** A random secret of at least 22 characters, for a client that has one already; made when absent. Only its hash is stored. */
  client_secret?: string
  /** In place of `client_secret`: the SHA-256 of a random secret in base64url without padding, as an export has it. */
  client_secret_hash?: string
}

/** A new client, or one with a new secret. */
export interface ClientCredentials {
  client: Client
  /** In clear text, which is available only now: only its hash is stored. Null for a public client, and where the caller gave the hash. */
  client_secret: string | null
}

/** The faults of the single fields; an unknown field with the one that was probably meant. */
const inputFaults = (error: ZodError): ClientFault[] =>
  configFaults(error, '', clientInput).map(({ path, unknown_key, ...fault }) => ({
    field: path || 'client',
    fault: formatConfigFault({
      ...fault,
      path: '',
      ...(unknown_key && { message: 'there is no such field' }),
    }),
  }))

/** What a caller says of the secret. */
interface SecretInput {
  confidential: boolean
  client_secret?: unknown
  client_secret_hash?: unknown
}

const SECRET_FAULTS = { client_secret: clientSecretFault, client_secret_hash: secretHashFault }

function secretFaults({ confidential, ...secrets }: SecretInput): ClientFault[] {
  if (secrets.client_secret !== undefined && secrets.client_secret_hash !== undefined)
    return [{ field: 'client_secret_hash', fault: 'give client_secret or client_secret_hash, not both' }]
  return (['client_secret', 'client_secret_hash'] as const).flatMap((field) => {
    const value = secrets[field]
    if (value === undefined) return []
    if (!confidential) return [{ field, fault: 'a client that is not confidential has none' }]
    const fault = typeof value === 'string' ? SECRET_FAULTS[field](value) : 'give a string'
    return fault === null ? [] : [{ field, fault }]
  })
}

/** @throws ClientInputError */
export async function createClient(c: RealmContext, given: NewClient): Promise<ClientCredentials> {
  const made = await newClient(c, given)
  if (!(await storeNewClient(c, made.client))) throw await takenError(c, made.client.client_id)
  return made
}

/** The record of a client that is not stored yet, by the rules of a configured one. @throws ClientInputError */
export async function newClient(c: RealmContext, given: NewClient): Promise<ClientCredentials> {
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods: methods } = given
  const { client_secret: given_secret, client_secret_hash: given_hash, ...described } = given
  const names_method = !hasKeys(given) && (method !== 'none' || methods !== undefined)
  const has_secret = names_method || given_secret !== undefined || given_hash !== undefined
  const { confidential = has_secret, ...rest } = described
  const given_input = { ...rest, client_id: rest.client_id ?? newId(c.random) }
  const secrets = { client_secret: given_secret, client_secret_hash: given_hash }
  const input = checkedInput(c, given_input, { confidential, ...secrets })
  // The `sub` of a client's own token is its client_id: such a token would look like one of that user.
  if (await c.accounts.find(input.client_id, c.realm))
    throw clientIdFault('it is the sub of a user; take another one')
  const is_known = confidential && given_hash === undefined
  const client_secret = is_known ? (given_secret ?? newSecret(c.random)) : null
  const client_secret_hash = client_secret === null ? (given_hash ?? null) : sha256(client_secret)
  return { client: clientRecord(input, { client_secret_hash, now: c.now() }), client_secret }
}

/** False when its id is taken. */
export async function storeNewClient(c: RealmContext, client: Client): Promise<boolean> {
  const { client_id, client_name } = client
  const is_new = await c.storage.clients.create(client)
  if (is_new) c.emit({ type: 'client.created', client_id, client_name })
  return is_new
}

/** @throws ClientInputError */
export function checkedInput(c: RealmContext, input: unknown, secret: SecretInput): CheckedClientInput {
  const result = readBy(clientInput, input)
  if (!result.success) throw new ClientInputError(inputFaults(result.error))
  const faults = [...clientFaults(c.realm, result.data, secret.confidential), ...secretFaults(secret)]
  if (faults.length > 0) throw new ClientInputError(faults)
  return result.data
}

export async function takenError(c: RealmContext, client_id: string): Promise<ClientInputError> {
  const stored = await c.storage.clients.find(client_id)
  const taken = `${JSON.stringify(client_id)} is taken`
  if (stored === null || !isTombstone(stored) || stored.expires_at === null) return clientIdFault(taken)
  const free_at = new Date(stored.expires_at * 1000).toISOString()
  return clientIdFault(
    `${taken}: a client with this id was deleted, and its last tokens expire at ${free_at}; take another one`,
  )
}

/** @throws ClientInputError */
export async function rotateClientSecret(
  c: RealmContext,
  client_id: string,
  { plan = false } = {},
): Promise<ClientCredentials | null> {
  const stored = await c.storage.clients.findStored(client_id)
  if (stored === null) return null
  if (stored.token_endpoint_auth_method === 'none')
    throw clientIdFault('this client is public: it has no secret')
  if (stored.token_endpoint_auth_method === 'private_key_jwt')
    throw clientIdFault('this client authenticates with its keys: it has no secret')
  if (stored.revoked_at !== null) throw clientIdFault('this client is revoked')
  const client_secret = newSecret(c.random)
  const client_secret_hash = sha256(client_secret)
  if (plan) return { client: { ...stored, client_secret_hash }, client_secret }
  // Replaces only the hash, so that a concurrent change by another administrator is not lost.
  if (!(await c.storage.clients.setSecret(client_id, client_secret_hash)))
    throw clientIdFault('this client is revoked')
  c.emit({ type: 'client.secret_rotated', client_id })
  return { client: { ...stored, client_secret_hash }, client_secret }
}
