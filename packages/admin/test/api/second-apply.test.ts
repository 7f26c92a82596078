/** The same clients, users and roles, applied a second time: nothing changes. This is what a tool needs that declares what should be. */

import { createHash } from 'node:crypto'
import { databaseAuditStore } from '@ostiary/audit'
import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { adminPlace, type Place } from './_place.ts'

const LONG = process.env.OSTIARY_LONG === '1'
const CLIENTS = LONG ? 200 : 20
const USERS = LONG ? 1000 : 40
/** Of the users: the first ones. */
const ADMINISTRATORS = LONG ? 100 : 10
/** Requests that are under way at a time. */
const WORKERS = 8
/** Below the limit of a minute. */
const PER_MINUTE = 500

interface Put {
  path: string
  body: Record<string, unknown>
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

/** What an administrator declares: members of every kind, and others that are left to their defaults. */
const CLIENT_KINDS: ((index: number) => Record<string, unknown>)[] = [
  () => ({ redirect_uris: ['https://a.example.com/callback'] }),
  (index) => ({
    redirect_uris: [`https://app-${index}.example.com/callback`, 'https://a.example.com/callback'],
    optional_scopes: ['openid', 'email', 'offline_access'],
    access_token_lifetime: 60 + index,
    token_endpoint_auth_method: 'client_secret_basic',
  }),
  (index) => ({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    client_secret: `a-secret-of-the-caller-of-${index}`.padEnd(40, 'x'),
  }),
  (index) => ({
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    client_secret_hash: createHash('sha256').update(`a-secret-of-${index}`).digest('base64url'),
  }),
  () => ({
    redirect_uris: ['https://a.example.com/callback'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://a.example.com/jwks.json',
  }),
]

const client = (index: number): Put => ({
  path: `/realms/acme/clients/app-${index}`,
  body: { client_name: `App ${index}`, ...CLIENT_KINDS[index % CLIENT_KINDS.length]?.(index) },
})

const user = (index: number): Put => ({
  path: `/realms/acme/users/user-${index}`,
  body: {
    username: `User-${index}`,
    ...(index % 2 === 0 && {
      claims: {
        email: `user-${index}@example.com`,
        address: { street_address: '1 Rue É', locality: 'Paris' },
        name: `Zoë ${index}`,
      },
    }),
    ...(index % 3 === 0 && { groups: ['staff', 'all'], attributes: { z: 1, a: [1, { y: null, b: 3 }] } }),
  },
})

const role = (index: number): Put => ({
  path: `/realms/acme/roles/users/user-${index}/${['support', 'auditor', 'manager'][index % 3]}`,
  body: { realms: index % 2 === 0 ? ['other', 'acme'] : ['*'] },
})

/** Roles come last: their users are there by then. */
const DECLARED: Put[][] = [
  [...range(CLIENTS).map(client), ...range(USERS).map(user)],
  range(ADMINISTRATORS).map(role),
]

interface Applied {
  statuses: number[]
  etags: string[]
  bodies: unknown[]
  /** What the answers for roles say of the call itself. */
  changed: unknown[]
}

/** Sends all of them, with a new token each minute of the clock. */
async function apply(place: Place): Promise<Applied> {
  const answers: Awaited<ReturnType<Place['call']>>[] = []
  for (const stage of DECLARED)
    for (let from = 0; from < stage.length; from += PER_MINUTE) {
      place.w.clock.now += 60
      const { access_token } = await place.program()
      answers.push(...(await sendAll(place, access_token, stage.slice(from, from + PER_MINUTE))))
    }
  for (const { status, body } of answers) if (status > 201) throw new Error(JSON.stringify(body))
  return {
    statuses: [...new Set(answers.map(({ status }) => status))],
    etags: answers.map(({ etag }) => etag),
    // Without a secret that was made, which is shown once.
    bodies: answers.map(({ body: { client_secret: _, changed: _changed, ...shown } }) => shown),
    changed: [...new Set(answers.map(({ body }) => body.changed).filter((value) => value !== undefined))],
  }
}

async function sendAll(place: Place, token: string, puts: readonly Put[]) {
  const answers: Awaited<ReturnType<Place['call']>>[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < puts.length; index = next++) {
      const { path = '', body } = puts[index] ?? {}
      answers[index] = await place.call(token, `PUT ${path}`, { body })
    }
  }
  await Promise.all(range(WORKERS).map(work))
  return answers
}

/** Counters of requests are no records. */
const COUNTERS = 'oidc_throttles'

/** Each row of each table, as the database writes it. */
async function tables(executor: Executor): Promise<Record<string, string[]>> {
  const named = await executor.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_name <> $1 order by 1`,
    [COUNTERS],
  )
  const entries = named.map(async ({ name }) => {
    const rows = await executor.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function owned(options: Parameters<typeof adminPlace>[0] = {}): Promise<Place> {
  const place = await adminPlace({ ...options, oidc: { clients: { private_key_jwt: true } } })
  await place.give('client:deploy', 'owner', '*')
  return place
}

describe(`${CLIENTS} clients, ${USERS} users and ${ADMINISTRATORS} roles that are applied twice`, () => {
  it('are the same rows of PostgreSQL, with the same ETags and no row of the audit', async () => {
    const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
    onTestFinished(() => executor.close())
    const place = await owned({ executor, store: databaseAuditStore(executor) })
    const first = await apply(place)
    await place.audit.flush()
    const before = await tables(executor)
    const second = await apply(place)
    await place.audit.flush()
    expect(first.statuses.sort()).toEqual([200, 201])
    expect(second.statuses).toEqual([200])
    expect(second.etags).toEqual(first.etags)
    expect(second.bodies).toEqual(first.bodies)
    expect([first.changed, second.changed]).toEqual([[true], [false]])
    const after = await tables(executor)
    expect(Object.keys(after)).toEqual(Object.keys(before))
    for (const [name, rows] of Object.entries(before)) expect([name, after[name]]).toEqual([name, rows])
    const counts = ['oidc_clients', 'oidc_users', 'oidc_roles', 'oidc_audit'].map(
      (name) => before[name]?.length,
    )
    // Two clients and a role are of the test itself.
    const changes = CLIENTS + USERS + ADMINISTRATORS
    expect(counts).toEqual([CLIENTS + 2, USERS, ADMINISTRATORS + 1, changes])
  })

  it('are the same records of the memory, with the same ETags and no row of the audit', async () => {
    const place = await owned()
    const first = await apply(place)
    const rows = await place.changes()
    const second = await apply(place)
    expect(first.statuses.sort()).toEqual([200, 201])
    expect(second.statuses).toEqual([200])
    expect(second.etags).toEqual(first.etags)
    expect(second.bodies).toEqual(first.bodies)
    expect([first.changed, second.changed]).toEqual([[true], [false]])
    expect(rows).toHaveLength(CLIENTS + USERS + ADMINISTRATORS)
    expect(await place.changes()).toEqual(rows)
  })
})
