/** The admin API of a server, with the sign-in that `ostiary login` has stored. */

import { serverOrigin } from '../server-origin.js'
import type { Environment } from '../store/config-folder.js'
import { type CredentialStore, credentialStore } from '../store/credentials.js'
import { type Access, type AccessTokens, refreshed, requireSignIn } from './access.js'
import type { AdminAnswer, AdminCall } from './call.js'
import { send } from './send.js'

/** A connection to the admin API of a server, as a signed-in administrator. */
export interface AdminConnection {
  /** The origin of the server. */
  server: string
  /**
   * Sends one request.
   * @throws AdminApiError for a status of 400 and above, LoginError when the sign-in has ended or the server cannot be reached.
   */
  request(call: AdminCall): Promise<AdminAnswer>
}

/** What `openConnection` takes. */
export interface ConnectionOptions {
  /** Variables of the process, which say where the sign-ins are stored. */
  env: Environment
}

/**
 * @param server The address of the server, such as `https://id.example.com`.
 * @throws LoginError when there is no sign-in for the server: the message says what to run.
 */
export async function openConnection(server: string, { env }: ConnectionOptions): Promise<AdminConnection> {
  const origin = serverOrigin(server)
  const store = credentialStore(env)
  const { resource } = await requireSignIn(origin, store)
  const access = accessTokens(origin, store)
  return {
    server: origin,
    request: (call) => send({ server: origin, resource, access }, call),
  }
}

/** Requests at the same time wait for the same token. */
function accessTokens(server: string, store: CredentialStore): AccessTokens {
  let held: Access | null = null
  let pending: Promise<Access> | null = null
  const refresh = async () => {
    held = await refreshed(server, store)
    return held
  }
  return async (refused) => {
    if (held !== null && held !== refused && held.expires_at > Date.now()) return held
    pending ??= refresh().finally(() => {
      pending = null
    })
    return pending
  }
}
