/** Which changes of a client's document its users have to consent to again. */

import type { Client } from '../../storage/records.js'
import { authMethods } from '../../util/auth-methods.js'
import { isLoopbackHost } from '../../util/loopback.js'
import { sha256 } from '../../util/secret.js'

/**
 * A hash of what users have consented to: the redirect hosts and the authentication methods. Changed keys, paths and names do
 * not change it.
 */
export const consentedPart = (client: Client): string =>
  sha256(JSON.stringify([redirectHosts(client), sorted(authMethods(client))]))

const sorted = (values: readonly string[]): string[] => [...new Set(values)].sort()

/** With their schemes; loopback hosts without a port, as any port matches (RFC 8252 §7.3). */
const redirectHosts = ({ redirect_uris }: Client): string[] =>
  sorted(
    redirect_uris.map((uri) => {
      const { protocol, hostname, host } = new URL(uri)
      return `${protocol}//${isLoopbackHost(hostname) ? hostname : host}`
    }),
  )
