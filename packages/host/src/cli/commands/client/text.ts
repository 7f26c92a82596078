/** A client for output, without the hash of its secret. */

import type { RealmOperations } from '@ostiary/admin-client/remote'
import type { Client, JsonWebKeySet } from '@ostiary/core'
import { plainRedirect, USE_HTTPS } from '../../../doctor/plain-redirects.js'
import { type CommandError, type CommandInput, notFound } from '../../command.js'
import { iso, printable, record } from '../../output.js'
import { configured } from '../../workspace.js'

export function clientJson({ client_secret_hash: _, ...client }: Client): Omit<Client, 'client_secret_hash'> {
  return client
}

export const stateOf = ({ revoked_at }: Client): string =>
  revoked_at === null ? 'live' : `revoked ${iso(revoked_at)}`

export function clientText(client: Client, client_secret: string | null = null): string {
  const { client_secret_hash: _, client_id_issued_at, revoked_at, ...fields } = client
  const rows = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const empty = value === null || (Array.isArray(value) && value.length === 0)
    return empty ? [] : [[name, printable(valueText(value))]]
  })
  return record([
    ...rows,
    // A client with a metadata document was not issued by this server.
    ...(client_id_issued_at === 0 ? [] : [['issued_at', iso(client_id_issued_at)] as const]),
    ...(revoked_at === null ? [] : [['revoked_at', iso(revoked_at)] as const]),
    ...(client_secret === null ? [] : [['client_secret', client_secret] as const]),
  ])
}

function valueText(value: NonNullable<unknown>): string {
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'object' ? keysText(value as JsonWebKeySet) : String(value)
}

/** Each key by its type and its name. */
const keysText = ({ keys }: JsonWebKeySet): string =>
  keys.map(({ kty, crv, alg, kid }) => [kty, crv, alg, kid].filter(Boolean).join(' ')).join(', ')

export const STORE_NOTE = 'Store the secret now: it cannot be shown again.'

/** Most libraries send Basic unless they are configured otherwise. */
export function secretNote({ token_endpoint_auth_method, token_endpoint_auth_methods }: Client): string {
  if (token_endpoint_auth_methods !== null)
    return `${STORE_NOTE}\nThe client may use ${token_endpoint_auth_methods.join(' or ')}.`
  return `${STORE_NOTE}\nConfigure the client for ${token_endpoint_auth_method}, the only method that it may use (--auth-method client_secret allows both).`
}

/** The way out of "PKCE is required"; empty for a client that never sends authorization requests, or need not send PKCE. */
export const pkceNote = ({ client_id, grant_types, require_pkce }: Client): string =>
  require_pkce !== false && grant_types.includes('authorization_code')
    ? `\nIf its library cannot send PKCE (code_challenge): client update ${client_id} --require-pkce false.`
    : ''

/** The lines to read after a client was made or changed. */
export const notesOf = (
  lines: readonly string[],
  { redirect_uris }: Pick<Client, 'redirect_uris'>,
): { note?: string } => {
  const plain = redirect_uris.flatMap((uri) => plainRedirect(uri) ?? [])
  const all = [...lines, ...plain.map((text) => `${text}. ${USE_HTTPS}`)]
  return all.length === 0 ? {} : { note: all.join('\n') }
}

export const noClient = (client_id: string): CommandError =>
  notFound(`There is no client ${JSON.stringify(client_id)}`)

/** @throws CommandError when there is none. */
export async function findClient({ management }: RealmOperations, client_id: string): Promise<Client> {
  const client = await management.clients.find(client_id)
  if (client === null) throw noClient(client_id)
  return client
}

/** The client that the argument names. @throws CommandError for one of the configuration: the next start or reload would undo the change. */
export function changedClient(
  { entries }: RealmOperations,
  { args: [client_id = ''] }: CommandInput,
  advice: string,
): string {
  const entry = entries.clients.find(({ metadata }) => metadata.client_id === client_id)
  if (entry !== undefined) throw configured(client_id, entry.path, advice)
  return client_id
}
