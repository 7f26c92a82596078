/** The address of a Redis: one server, a master that sentinels know, or a cluster. */

interface RedisNode {
  host: string
  port: number
}

interface RedisLogin {
  username?: string
  password?: string
}

interface Nodes {
  tls: boolean
  nodes: RedisNode[]
}

/**
 * `sentinel`: the nodes are sentinels, with a login of their own, and `name` is that of the master. `login` is for the
 * servers that hold the records.
 */
export type RedisAddress = { login: RedisLogin } & (
  | { kind: 'server'; url: string }
  | ({ kind: 'sentinel'; name: string; db: number; sentinel_login: RedisLogin } & Nodes)
  | ({ kind: 'cluster' } & Nodes)
)

/** The right form of each kind of address. */
export const REDIS_FORMS = {
  server: 'redis://host:6379',
  sentinel: 'redis+sentinel://host1:26379,host2:26379,host3:26379/master-name',
  cluster: 'redis+cluster://host1:6379,host2:6379,host3:6379',
} as const
const { server: SERVER, sentinel: SENTINEL, cluster: CLUSTER } = REDIS_FORMS

const SCHEMES = new Map<string, { kind: RedisAddress['kind']; tls: boolean }>([
  ['redis', { kind: 'server', tls: false }],
  ['rediss', { kind: 'server', tls: true }],
  ['redis+sentinel', { kind: 'sentinel', tls: false }],
  ['rediss+sentinel', { kind: 'sentinel', tls: true }],
  ['redis+cluster', { kind: 'cluster', tls: false }],
  ['rediss+cluster', { kind: 'cluster', tls: true }],
])
const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6379 } as const
/** Query parameters of an address with sentinels. */
const SENTINEL_LOGIN = { sentinel_username: 'username', sentinel_password: 'password' } as const

/** The address is refused. The message is a sentence that shows the right form, without the user and the password. */
class AddressError extends Error {}

/** @throws Error with a sentence that shows the right form. */
export function redisAddress(url: string): RedisAddress {
  const [scheme = '', ...rest] = url.split('://')
  const found = SCHEMES.get(scheme)
  if (found === undefined || rest.join('') === '')
    throw new AddressError(`give a URL such as ${SERVER}, ${SENTINEL} or ${CLUSTER}`)
  const parts = partsOf(rest.join('://'))
  if (found.kind === 'server') return serverAddress(url, parts)
  return found.kind === 'sentinel' ? sentinelAddress(parts, found.tls) : clusterAddress(parts, found.tls)
}

/** Why `connect` refuses the address: a sentence that shows the right form, without the user and the password. Null when it does not. */
export function redisAddressFault(url: string): string | null {
  try {
    redisAddress(url)
    return null
  } catch (error) {
    if (error instanceof AddressError) return error.message
    throw error
  }
}

/**
 * The passwords in an address, decoded, for a log that hides them.
 * @throws Error when the address is refused.
 */
export function redisPasswords(url: string): string[] {
  const address = redisAddress(url)
  const logins = [address.login, ...(address.kind === 'sentinel' ? [address.sentinel_login] : [])]
  return logins.flatMap(({ password }) => (password === undefined ? [] : [password]))
}

/** ioredis reads the address itself. */
function serverAddress(url: string, { userinfo, hosts, path }: Parts): RedisAddress {
  if (hosts.includes(','))
    throw new AddressError(
      `several hosts are sentinels or nodes of a cluster: give a URL such as ${SENTINEL} or ${CLUSTER}`,
    )
  if (hosts === '' || !URL.canParse(url)) throw new AddressError(`give a URL such as ${SERVER}`)
  if (path.length > 1 || !isDatabase(path[0] ?? '0'))
    throw new AddressError(
      `only the number of a database may follow the host: give a URL such as ${SERVER}/0`,
    )
  return { kind: 'server', url, login: loginOf(userinfo) }
}

function sentinelAddress({ userinfo, hosts, path, query }: Parts, tls: boolean): RedisAddress {
  const [name = '', db = '0', ...more] = path
  if (name === '')
    throw new AddressError(
      `the name of the master that the sentinels monitor is missing: give a URL such as ${SENTINEL}`,
    )
  if (more.length > 0 || !isDatabase(db))
    throw new AddressError(
      `after the name of the master comes at most the number of a database: give a URL such as ${SENTINEL}/0`,
    )
  const sentinel_login: RedisLogin = {}
  for (const [key, value] of query) {
    if (!Object.hasOwn(SENTINEL_LOGIN, key))
      throw new AddressError(
        `there is no parameter ${key}: sentinel_username and sentinel_password are those of ${SENTINEL}`,
      )
    sentinel_login[SENTINEL_LOGIN[key as keyof typeof SENTINEL_LOGIN]] = value
  }
  return {
    kind: 'sentinel',
    tls,
    nodes: nodesOf(hosts, 'sentinel'),
    login: loginOf(userinfo),
    name: decoded(name),
    db: Number(db),
    sentinel_login,
  }
}

function clusterAddress({ userinfo, hosts, path, query }: Parts, tls: boolean): RedisAddress {
  if (path.length > 0 || query.length > 0)
    throw new AddressError(
      `a cluster has one database, and its address has no parameters: give a URL such as ${CLUSTER}`,
    )
  return { kind: 'cluster', tls, nodes: nodesOf(hosts, 'cluster'), login: loginOf(userinfo) }
}

interface Parts {
  userinfo: string
  hosts: string
  /** The segments of the path; a slash at its end counts for nothing. */
  path: string[]
  query: [name: string, value: string][]
}

/** @param rest The address without its scheme. */
function partsOf(rest: string): Parts {
  const [place = '', ...query] = rest.split('?')
  const [authority = '', ...path] = place.split('/')
  if (path.at(-1) === '') path.pop()
  return {
    userinfo: authority.slice(0, Math.max(0, authority.lastIndexOf('@'))),
    hosts: authority.slice(authority.lastIndexOf('@') + 1),
    path,
    query: [...new URLSearchParams(query.join('?'))],
  }
}

function loginOf(userinfo: string): RedisLogin {
  const [username = '', ...password] = userinfo.split(':')
  return {
    ...(username !== '' && { username: decoded(username) }),
    ...(password.length > 0 && { password: decoded(password.join(':')) }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AddressError('its user, password and name of the master are percent-encoded: write %25 for %')
  }
}

function nodesOf(hosts: string, kind: 'sentinel' | 'cluster'): RedisNode[] {
  return hosts.split(',').map((text) => {
    const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : null
    if (url === null || url.hostname === '' || url.hash !== '')
      throw new AddressError(
        `${JSON.stringify(text)} is not a host with a port: give a URL such as ${REDIS_FORMS[kind]}`,
      )
    // An IPv6 address is in brackets.
    const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    return { host, port: url.port === '' ? DEFAULT_PORTS[kind] : Number(url.port) }
  })
}

const isDatabase = (text: string): boolean => /^\d{1,5}$/.test(text)
