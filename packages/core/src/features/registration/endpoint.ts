/** `POST /oauth/register`: RFC 7591 §3. */

import { parseRegistration } from '../../clients/client-metadata.js'
import { ABSENT_FIELDS, fieldsSetBy } from '../../clients/field-lists.js'
import { OAuthError } from '../../http/errors.js'
import { CORS, json } from '../../http/responses.js'
import type { Context } from '../../realm/context.js'
import type { Realm } from '../../realm/realm.js'
import { bodyText } from '../../request/read-params.js'
import { throttle } from '../../request/throttle.js'
import type { Client } from '../../storage/storage.js'
import { SECRET_METHODS } from '../../util/auth-methods.js'
import { newId, newSecret, sha256 } from '../../util/secret.js'
import { parseUniqueJson, RepeatedMemberError } from '../../util/unique-json.js'
import { registerClient } from './register-client.js'

export async function registration(c: Context): Promise<Response> {
  const { settings } = c.realm
  await throttle(c, 'register', settings.throttle.register)
  const metadata = parseRegistration(await jsonBody(c), c.realm)
  const { unused_lifetime } = settings.clients.registration
  const has_secret = SECRET_METHODS.some((method) => method === metadata.token_endpoint_auth_method)
  const client_secret = has_secret ? newSecret(c.random) : null
  const client: Client = {
    ...ABSENT_FIELDS,
    ...metadata,
    client_id: newId(c.random),
    client_secret_hash: client_secret === null ? null : sha256(client_secret),
    origin: 'registered',
    client_id_issued_at: c.now(),
    expires_at: unused_lifetime === 0 ? null : c.now() + unused_lifetime,
  }
  const { client_id, client_id_issued_at } = await registerClient(c, client)
  const registered = { ...client, client_id, client_id_issued_at }
  return json(clientInformation(c.realm, registered, client_secret), { status: 201, headers: CORS })
}

async function jsonBody(c: Context): Promise<unknown> {
  try {
    return parseUniqueJson(await bodyText(c))
  } catch (cause) {
    if (cause instanceof OAuthError && cause.status === 413)
      throw new OAuthError('invalid_client_metadata', cause.message, { status: 413 })
    const is_repeated = cause instanceof RepeatedMemberError
    const fault = is_repeated ? 'A member is in the body twice' : 'The body must be a JSON object'
    throw new OAuthError('invalid_client_metadata', fault, { cause })
  }
}

/** The client information response: RFC 7591 §3.2.1. */
function clientInformation(realm: Realm, client: Client, client_secret: string | null) {
  const { default_scopes, optional_scopes } = realm.settings.clients
  const assignment = [...default_scopes, ...optional_scopes]
  const values = assignment.map((entry) => entry.slice(entry.lastIndexOf(' ') + 1))
  const { backchannel_logout_uri, backchannel_logout_session_required, ...metadata } =
    registeredFields(client)
  return {
    client_id: client.client_id,
    client_id_issued_at: client.client_id_issued_at,
    ...metadata,
    ...(!assignment.includes('*') && { scope: [...new Set(values)].join(' ') }),
    ...(client_secret !== null && { client_secret, client_secret_expires_at: 0 }),
    ...(backchannel_logout_uri && { backchannel_logout_uri, backchannel_logout_session_required }),
  }
}

/** What the client has registered, without what is null. */
const registeredFields = (client: Client): Partial<Client> =>
  Object.fromEntries(
    fieldsSetBy('registration').flatMap((name) => (client[name] === null ? [] : [[name, client[name]]])),
  )
