/** Generated writes: what a dry run says is what the write then does. */

import { isDeepStrictEqual } from 'node:util'
import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished } from 'vitest'
import { adminPlace, type Place } from './_place.ts'

const LONG = process.env.OSTIARY_LONG === '1'
/** Each takes a second of a busy machine. */
const MAX_KEYS = 5

/** A generator of numbers from 0 to below 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SUBS = ['u1', 'u2', 'u3', 'u4', 'deploy']
const CLIENT_IDS = ['c1', 'c2', 'c3', 'c4', 'deploy', 'u1']
const URIS = ['https://a.example.com/cb', 'https://b.example.com/cb']
const SCOPES = ['openid', 'email', 'profile', 'offline_access']

interface Generated {
  line: string
  body?: unknown
  headers: Record<string, string>
}

/** Writes, most of which are allowed and change something. */
function generator(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const some = <T>(list: readonly T[]): T[] => list.filter(() => random() > 0.5)
  const maybe = (name: string, value: unknown, chance = 0.4): Record<string, unknown> =>
    random() < chance ? { [name]: value } : {}
  const clientBody = () => ({
    ...maybe('redirect_uris', some(URIS), 0.9),
    ...maybe('client_name', pick(['One', 'Two'])),
    ...maybe('optional_scopes', some(SCOPES)),
    ...maybe('access_token_lifetime', pick([60, 300, 1e9])),
    ...maybe('token_endpoint_auth_method', pick(['none', 'client_secret_basic', 'client_secret_post'])),
    ...maybe('grant_types', some(['authorization_code', 'refresh_token', 'client_credentials']), 0.3),
    ...maybe('trusted', pick([true, false]), 0.2),
    ...maybe('no_such_member', 1, 0.05),
  })
  const userBody = () => ({
    ...maybe('username', pick(['Anna', 'Ben', 'ANN', 'u2', '']), 0.7),
    ...maybe('claims', pick([{}, { name: 'A' }, { email: 'a@example.com', address: { locality: 'X' } }])),
    ...maybe('attributes', pick([null, { level: 1 }, { level: 1, list: [1, { a: 2 }] }])),
    ...maybe('groups', pick([null, [], ['staff'], ['staff', 'staff', 'all']])),
  })
  const patched = (body: Record<string, unknown>) => ({
    ...body,
    ...maybe(pick(['client_name', 'claims', 'groups', 'access_token_lifetime']), null, 0.2),
  })
  const client = () => `/clients/${pick(CLIENT_IDS)}`
  const user = () => `/users/${pick(SUBS)}`
  const role = () =>
    `/roles/${pick(['users', 'users', 'clients'])}/${pick([...SUBS, ...CLIENT_IDS])}/${pick(['support', 'auditor', 'owner'])}`
  type Write = () => readonly [line: string, body?: unknown]
  const writes: Write[] = [
    () => [`PUT ${client()}`, clientBody()],
    () => [`PUT ${client()}`, clientBody()],
    () => [`PATCH ${client()}`, patched(clientBody())],
    () => [`PATCH ${client()}`, patched(clientBody())],
    () => [`DELETE ${client()}`],
    () => [`POST ${client()}/secret`],
    () => [`POST ${client()}/revoke`],
    () => [`PUT ${user()}`, userBody()],
    () => [`PUT ${user()}`, userBody()],
    () => [`PATCH ${user()}`, patched(userBody())],
    () => [`PATCH ${user()}`, patched(userBody())],
    () => [`DELETE ${user()}`],
    () => [`POST ${user()}/password`, { password: pick(['short', 'correct horse battery']) }],
    () => [`POST ${user()}/${pick(['disable', 'enable', 'end-access'])}`],
    () => [`DELETE ${user()}/${pick(['sessions', 'grants', 'consents/ops', 'sessions/none'])}`],
    () => [`DELETE ${user()}/${pick(['grants?client_id=ops', 'consents/ops?resource=x'])}`],
    () => [`PUT ${role()}`, { realms: pick([['*'], ['acme'], ['other', 'acme'], ['nowhere']]) }],
    () => [`DELETE ${role()}`],
    () => ['POST /keys', { ...maybe('publish_before', pick([0, 1, 3600])), ...maybe('alg', 'ES256', 0.2) }],
    () => ['DELETE /keys/{kid}'],
  ]
  return (): Generated => {
    const [line, body] = pick(writes)()
    const match = pick(['{etag}', '{etag}', '"other"', null])
    const overwrites = /^(?:PUT|PATCH|DELETE) \/(?:clients|users)\/\w+$/.test(line) && random() > 0.5
    return {
      line: overwrites ? `${line}?overwrite=true` : line,
      ...(body !== undefined && { body }),
      headers: match === null ? {} : { 'if-match': match },
    }
  }
}

/** Everything that a write could change, as the stores have it. */
async function stateOf({ w, people, roles }: Place) {
  const { clients, sessions, grants, consents, keys } = w.storage('acme')
  const bySub = async <T>(read: (sub: string) => Promise<T[]>) =>
    (await Promise.all(SUBS.map((sub) => read(sub)))).flat()
  const [stored, users, held, open, given, allowed, published] = await Promise.all([
    clients.list({ limit: 200 }),
    people.users('acme').list({ limit: 200 }),
    roles.list('acme'),
    bySub((sub) => sessions.list(sub)),
    bySub((sub) => grants.list(sub, w.clock.now)),
    bySub((sub) => consents.list(sub)),
    keys.list(),
  ])
  return {
    clients: stored,
    users,
    roles: held,
    sessions: open,
    grants: given,
    consents: allowed,
    keys: published,
  }
}
type State = Awaited<ReturnType<typeof stateOf>>

const HIDDEN = ['password_hash', 'client_secret_hash', 'username_key', 'updated_at', 'credential_version']
const SECRET = { password_hash: '/password', client_secret_hash: '/client_secret' } as const

type RecordMembers = Record<string, unknown>

/** The record at the address of a request. */
function recordAt(state: State, line: string): RecordMembers | null {
  const [, kind, id, third, fourth] = (line.split(' ')[1] ?? '').split('?')[0]?.split('/') ?? []
  if (kind === 'clients') return asMembers(state.clients.find(({ client_id }) => client_id === id))
  if (kind === 'users') return asMembers(state.users.find(({ sub }) => sub === id))
  if (kind !== 'roles') return null
  const holder = `${id === 'users' ? 'sub' : 'client'}:${third}`
  const row = state.roles.find((each) => each.holder === holder && each.role === fourth)
  const of = id === 'users' ? { sub: third, client_id: null } : { sub: null, client_id: third }
  return row ? { ...of, role: row.role, realms: row.realms } : null
}
const asMembers = (record: object | undefined): RecordMembers | null => (record ? { ...record } : null)

const shown = (record: RecordMembers | null): RecordMembers | null =>
  record && Object.fromEntries(Object.entries(record).filter(([name]) => !HIDDEN.includes(name)))

interface Change {
  pointer: string
  from?: unknown
  to?: unknown
  secret?: true
}

/** The record with the changes: each begins with what is there. */
function applied(record: RecordMembers | null, changes: readonly Change[]): RecordMembers | null {
  let result = structuredClone(record)
  for (const { pointer, from, to, secret } of changes) {
    if (secret) continue
    if (pointer === '') {
      expect(shown(result)).toEqual(from ?? null)
      result = (to ?? null) as RecordMembers | null
      continue
    }
    const names = pointer
      .slice(1)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = names.pop() ?? ''
    const parent = names.reduce((value, name) => value[name] as RecordMembers, result ?? {})
    expect(parent[last]).toEqual(from)
    if (to === undefined) delete parent[last]
    else parent[last] = to
  }
  return result
}

function secretChanges(before: RecordMembers | null, after: RecordMembers | null): string[] {
  if (before === null || after === null) return []
  return Object.entries(SECRET).flatMap(([name, pointer]) => (before[name] === after[name] ? [] : [pointer]))
}

/** How many are there no longer; of consents, those too that were withdrawn. */
function ended(before: State, after: State) {
  const gone = <T>(was: readonly T[], is: readonly T[], idOf: (item: T) => string) =>
    was.filter((item) => !is.some((other) => idOf(other) === idOf(item))).length
  return {
    sessions: gone(before.sessions, after.sessions, ({ sid }) => sid),
    grants: gone(before.grants, after.grants, ({ grant_id }) => grant_id),
    consents: gone(before.consents, after.consents, ({ client_id, sub, resource, revoked_at }) =>
      [sub, client_id, resource, revoked_at].join(' '),
    ),
  }
}

async function database(): Promise<Executor> {
  const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  return executor
}

/** Sessions, grants and a consent for those who have none. */
async function signInAll(place: Place): Promise<void> {
  for (const sub of ['u1', 'u2', 'u3']) {
    if ((await place.w.storage('acme').sessions.list(sub)).length > 0) continue
    const user = await place.people.users('acme').find(sub)
    if (user === null || user.disabled_at !== null) continue
    await place.signInAgain(sub, { scope: 'offline_access' })
    await place.signInAgain(sub)
    const approved = [{ resource: place.w.issuer, scopes: ['openid'] }]
    await place.w.storage('acme').consents.merge({ sub, client_id: 'ops', approved }, place.w.clock.now)
  }
}

it.each([
  ['in memory', LONG ? 2000 : 200, async () => adminPlace()],
  ['in PostgreSQL', LONG ? 400 : 150, async () => adminPlace({ executor: await database() })],
] as const)('%s: %i writes do what their dry runs say', { timeout: 900_000 }, async (_, rounds, open) => {
  const place = await open()
  const random = numbers(20_261_130)
  const next = generator(random)
  await place.give('sub:boss', 'owner', '*')
  await place.give('sub:max', 'manager', '*')
  const boss = (await place.signIn('boss')).access_token
  const max = (await place.signIn('max')).access_token
  for (const sub of ['u1', 'u2', 'u3']) await place.addUser(sub)
  await place.give('sub:u3', 'owner', 'acme')
  const [own_key] = (await stateOf(place)).keys
  const gone = new Set<string>()
  const seen = new Map<string, number>()
  let keys = 0
  for (let round = 0; round < rounds; round += 1) {
    if (round % 50 === 0) await signInAll(place)
    await place.w.storage('acme').throttle.reset('admin:')
    const { line: template, body, headers } = next()
    const before = await stateOf(place)
    const kid = before.keys.find((key) => key.kid !== own_key?.kid)?.kid ?? 'none'
    if (/ \/keys/.test(template) && ++keys > MAX_KEYS) continue
    const line = template.replace('{kid}', kid)
    // That a sub was one of a deleted user, no store tells before the write.
    if (/^PUT \/users\/(\w+)/.test(line) && gone.has(/\w+$/.exec(line.split('?')[0] ?? '')?.[0] ?? ''))
      continue
    const [method, address = ''] = line.split(' ')
    const token = random() > 0.3 ? boss : max
    const url = `${method} /realms/acme${address}`
    const { etag } = await place.call(boss, `GET /realms/acme${address.split('?')[0]}`)
    const match = headers['if-match']?.replace('{etag}', etag)
    const request = { ...(body !== undefined && { body }), headers: match ? { 'if-match': match } : {} }
    const events = place.w.events.length
    const dry = await place.call(token, `${url}${address.includes('?') ? '&' : '?'}dry_run=true`, request)
    expect([line, await stateOf(place)]).toEqual([line, before])
    // The guard tells of tokens that it refuses.
    const emitted = place.w.events.slice(events).filter(({ type }) => type !== 'bearer.refused')
    expect([line, emitted]).toEqual([line, []])
    const real = await place.call(token, url, request)
    const after = await stateOf(place)
    const told = { line, body, match, dry: dry.body, real: real.body, status: real.status }
    seen.set(`${dry.status} ${real.status}`, (seen.get(`${dry.status} ${real.status}`) ?? 0) + 1)
    if (real.status >= 300) {
      expect({ ...told, dry: dry.status }).toMatchObject({ dry: real.status })
      expect({ ...dry.body, request_id: '' }).toEqual({ ...real.body, request_id: '' })
      continue
    }
    expect({ ...told, dry_status: dry.status }).toMatchObject({ dry_status: 200 })
    const { changes, effects } = dry.body
    const [was, is] = [recordAt(before, line), recordAt(after, line)]
    if (/\/(?:clients|users|roles)\//.test(line)) {
      expect([told, shown(applied(was, changes))]).toEqual([told, shown(is)])
      expect(changes.flatMap(({ pointer, secret }: Change) => (secret ? [pointer] : []))).toEqual(
        secretChanges(was, is),
      )
    }
    for (const [name, count] of Object.entries(ended(before, after)))
      if (effects[name] !== null) expect([told, name, effects[name]]).toEqual([told, name, count])
    if (isDeepStrictEqual(before, after)) expect([told, changes]).toEqual([told, []])
    if (method === 'DELETE' && /^\/users\/\w+(?:\?|$)/.test(address))
      gone.add(/^\/users\/(\w+)/.exec(address)?.[1] ?? '')
    expect(JSON.stringify(dry.body)).not.toMatch(/hash|quick:/)
  }
  expect([place.failures, seen.has('401 401')]).toEqual([[], false])
  for (const pair of ['200 200', '200 201', '400 400', '403 403', '404 404', '409 409', '412 412', '428 428'])
    expect([pair, seen.has(pair)]).toEqual([pair, true])
})
