/** Which changes of a client's document its users have to consent to again. */

import type { Client } from '../records.js'
import { isLoopbackHost } from './loopback.js'

/** Whether both have the same redirect hosts and authentication methods. Changed keys, paths and names do not count. */
export const isSameForUsers = (one: Client, other: Client): boolean =>
  isSameSet(redirectHosts(one), redirectHosts(other)) && isSameSet(methods(one), methods(other))

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value))

/** With their schemes; loopback hosts without a port, as any port matches (RFC 8252 §7.3). */
const redirectHosts = ({ redirect_uris }: Client): Set<string> =>
  new Set(
    redirect_uris.map((uri) => {
      const { protocol, hostname, host } = new URL(uri)
      return `${protocol}//${isLoopbackHost(hostname) ? hostname : host}`
    }),
  )

const methods = (client: Client): Set<string> =>
  new Set(client.token_endpoint_auth_methods ?? [client.token_endpoint_auth_method])
