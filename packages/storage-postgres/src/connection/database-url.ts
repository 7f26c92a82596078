/** The servers in the URL of a database: one, or several from which the primary is chosen. */

/** The address of a server. */
export interface DatabaseHost {
  name: string
  port: number
}

export interface DatabaseUrl {
  /** The URL with one host. */
  url: string
  /** Every host; empty when the URL names only one, which postgres.js reads itself. */
  hosts: DatabaseHost[]
}

const DEFAULT_PORT = 5432
/** Values of `target_session_attrs` that include the primary. */
const PRIMARY_ATTRIBUTES = new Set(['any', 'primary', 'read-write'])

/**
 * `target_session_attrs` is left out: postgres.js takes a standby for `read-write`, and this package chooses the primary.
 * @throws Error when `target_session_attrs` asks for a standby, or a port is not a number.
 */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', user = '', places = '', path = '', query = ''] =
    /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? []
  const hosts = places.split(',')
  const rest = `${path}${withoutAttributes(query)}`
  if (hosts.length === 1) return { url: `${scheme}${user}${places}${rest}`, hosts: [] }
  return { url: `${scheme}${user}${hosts[0]}${rest}`, hosts: hosts.map(readHost) }
}

function readHost(text: string): DatabaseHost {
  const [, name = '', port = `${DEFAULT_PORT}`] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? []
  if (name === '' || !/^\d{1,5}$/.test(port))
    throw new Error('a host of the URL is not valid: give host1:port1,host2:port2')
  return { name: name.replace(/^\[(.*)\]$/s, '$1'), port: Number(port) }
}

function withoutAttributes(query: string): string {
  const parameters = new URLSearchParams(query)
  const attributes = parameters.get('target_session_attrs')
  if (attributes === null) return query
  if (!PRIMARY_ATTRIBUTES.has(attributes))
    throw new Error(
      `target_session_attrs=${attributes} asks for a standby, which accepts no writes: remove it`,
    )
  parameters.delete('target_session_attrs')
  return parameters.size === 0 ? '' : `?${parameters}`
}
