/**
 * Every query of every store on full tables: none reads a table from end to end, and how much a query touches does not
 * grow with the tables. With OSTIARY_PLAN_ROWS the tables are larger and the plans are printed (`pnpm run plans`).
 */

import type { Client, Grant, LogoutDelivery, Pending, RealmStorage, Session, SigningKey } from '@ostiary/core'
import type { User, UserStore } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, type Param, postgresExecutor, postgresStorage, postgresUsers } from '../src/index.js'
import { fillTables, id, NOW, REALM } from './_full-tables.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const ROWS = Number(process.env.OSTIARY_PLAN_ROWS) || 100_000
/** Blocks of 8 kB that a query may touch for each record that it is about. */
const BLOCKS = 100
const LIMIT = 20
const BATCH = 1000

interface Statement {
  name: string
  text: string
  params: readonly Param[]
}

/** Keeps what is asked, and answers with nothing. */
function recorder(): Executor & { statements: Statement[]; name: string } {
  const statements: Statement[] = []
  const self = {
    ...{ statements, name: '' },
    query: async <T>(text: string, params: readonly Param[] = []): Promise<T[]> => {
      statements.push({ name: self.name, text, params })
      return []
    },
    transaction: () => Promise.reject(new Error('no store needs one')),
    close: async () => {},
  }
  return self
}

type Calls<Store> = { [Method in keyof Store]-?: (store: Store) => Promise<unknown>[] }
type AllCalls = { [Name in Exclude<keyof RealmStorage, 'purge'>]: Calls<RealmStorage[Name]> }

const row = ROWS / 2 + 5
const grant: Grant = {
  ...{ grant_id: 'new', client_id: 'c', sub: 's', sid: 'sid', offline: false, scopes: [], resource: null },
  ...{ auth_time: null, amr: [], acr: null, created_at: NOW, expires_at: NOW, revoked_at: null },
}
const code = {
  ...{ code_hash: 'new', grant_id: 'new', redirect_uri: 'r', redirect_uri_sent: true, code_challenge: 'c' },
  ...{ nonce: null, expires_at: NOW, redeemed_at: null },
}
const token = {
  token_hash: 'new',
  grant_id: id('grant', row),
  created_at: NOW,
  expires_at: NOW,
  spent_at: null,
}
const next = { refresh_token: token, grant_expires_at: NOW + 1 }
const session: Session = {
  ...{ sid: 'new', session_hash: 'new', sub: 's', auth_time: 1, amr: [], acr: null, created_at: 1 },
  ...{ expires_at: NOW, client_ids: ['a', 'b'] },
}
const client: Client = {
  ...{
    client_id: `client-${row}`,
    client_secret_hash: null,
    client_name: 'n',
    token_endpoint_auth_method: 'none',
  },
  ...{ redirect_uris: [], post_logout_redirect_uris: [], grant_types: [], response_types: [] },
  ...{ backchannel_logout_uri: null, backchannel_logout_session_required: false, trusted: false },
  ...{ allowed_exchange_audiences: [], consent_required: true, default_scopes: null, optional_scopes: null },
  ...{ self_registered: false, client_id_issued_at: 1, revoked_at: null },
}
const key: SigningKey = {
  ...{ kid: 'new', alg: 'RS256', public_jwk: { kty: 'RSA', n: 'n', e: 'e' }, sealed_private_key: 's' },
  ...{ signs_from: 1, created_at: 1 },
}
const delivery: LogoutDelivery = {
  ...{ delivery_id: 'new', client_id: 'c', sub: 's', sid: 's', uri: 'u', session_required: true },
  ...{ created_at: 1, attempts: 0, next_attempt_at: 1 },
}
const user: User = {
  ...{ sub: `sub-${row}`, username: 'n', username_key: `user ${row}`, password_hash: null, claims: {} },
  ...{ created_at: 1, updated_at: 2, disabled_at: null },
}
const pending: Pending = {
  ...{ kind: 'logout', pending_hash: 'new', expires_at: NOW, sid: 's' },
  request: { client_id: null, post_logout_redirect_uri: null, state: null },
}
const [sub, client_id] = [`sub-${Math.floor(row / 5)}`, `client-${row % 5}`]

/** Each method of each store, in each of its forms: the compiler sees that none is left out. */
const CALLS: AllCalls = {
  clients: {
    find: (s) => [s.find(client.client_id)],
    create: (s) => [s.create({ ...client, client_id: 'new' })],
    update: (s) => [s.update(client)],
    revoke: (s) => [s.revoke(client.client_id, NOW)],
    list: (s) => [s.list({ limit: LIMIT }), s.list({ limit: LIMIT, after: client.client_id })],
  },
  consents: {
    find: (s) => [s.find(sub, client_id, ['r', 'q'])],
    merge: (s) => [s.merge({ sub, client_id, approved: [{ resource: 'r', scopes: ['b'] }] }, NOW)],
    revoke: (s) => [s.revoke({ sub, client_id }, NOW), s.revoke({ sub, client_id, resource: 'r' }, NOW)],
    list: (s) => [s.list(sub)],
  },
  grants: {
    create: (s) => [s.create(grant, code)],
    find: (s) => [s.find(id('grant', row))],
    findCode: (s) => [s.findCode(id('code', row))],
    redeemCode: (s) => [s.redeemCode(id('code', row), next, NOW)],
    findRefreshToken: (s) => [s.findRefreshToken(id('token', row))],
    rotateRefreshToken: (s) => [s.rotateRefreshToken(id('token', row), next, NOW)],
    revoke: (s) => [
      s.revoke({ grant_id: id('grant', row) }, NOW),
      s.revoke({ sid: id('sid', Math.floor(row / 2)) }, NOW),
      s.revoke({ sub, client_id }, NOW),
    ],
  },
  revoked_tokens: {
    add: (s) => [s.add('new', NOW)],
    has: (s) => [s.has(id('jti', row))],
  },
  sessions: {
    create: (s) => [s.create(session)],
    find: (s) => [s.find(id('hash', row))],
    join: (s) => [s.join(id('sid', row), 'new')],
    end: (s) => [s.end(id('sid', row), NOW, 30)],
    forget: (s) => [s.forget(id('sid', row))],
    expired: (s) => [s.expired(NOW, LIMIT)],
    list: (s) => [s.list(sub)],
  },
  pending: {
    put: (s) => [s.put(pending)],
    find: (s) => [s.find(id('pending', row))],
    take: (s) => [s.take(id('pending', row))],
  },
  keys: {
    list: (s) => [s.list()],
    ensure: (s) => [s.ensure(key)],
    add: (s) => [s.add(key)],
    drop: (s) => [s.drop(`kid-${row}`)],
  },
  logouts: {
    add: (s) => [s.add([delivery])],
    claim: (s) => [s.claim(NOW, 30, LIMIT)],
    settle: (s) => [s.settle(id('delivery', row), null), s.settle(id('delivery', row), NOW)],
  },
  throttle: {
    hit: (s) => [s.hit('login:new', 60, NOW)],
  },
}

const USER_CALLS: Calls<UserStore> = {
  find: (s) => [s.find(user.sub)],
  findByUsername: (s) => [s.findByUsername(user.username_key)],
  create: (s) => [s.create({ ...user, sub: 'new', username_key: 'new' })],
  update: (s) => [s.update(user, 1)],
  list: (s) => [s.list({ limit: LIMIT }), s.list({ limit: LIMIT, after: user.sub })],
}

async function statements(): Promise<Statement[]> {
  const db = recorder()
  const stores = { ...postgresStorage(db)(REALM), users: postgresUsers(db)(REALM) }
  for (const [name, calls] of Object.entries({ ...CALLS, users: USER_CALLS })) {
    const store = stores[name as keyof typeof stores]
    for (const [method, call] of Object.entries(calls)) {
      db.name = `${name}.${method}`
      await Promise.all((call as (of: unknown) => Promise<unknown>[])(store))
    }
  }
  db.name = 'purge'
  await stores.purge(NOW)
  return db.statements
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Plan[]
}
interface Explained {
  'QUERY PLAN': [{ Plan: Plan; 'Execution Time'?: number }]
}

const literal = (param: Param) =>
  typeof param === 'string' ? `'${param.replaceAll("'", "''")}'` : `${param}`
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
/** Tables that a plan reads from end to end. */
const endToEnd = (plan: Plan) =>
  nodes(plan).flatMap((node) =>
    node['Node Type'] === 'Seq Scan' && node['Relation Name'] ? [node['Relation Name']] : [],
  )
const recordsOf = ({ name }: Statement) =>
  name === 'purge' ? BATCH : /\.(list|expired|claim)$/.test(name) ? LIMIT : 1

describe(`queries on ${ROWS} rows`, () => {
  let database: OwnDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await migratedDatabase()
    executor = postgresExecutor(database.url, { connections: 1, statementTimeout: 0 })
    await fillTables(executor, ROWS)
  }, 1_800_000)
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })

  /** Runs it, and takes it back. */
  async function run({ text, params }: Statement): Promise<{ explained: Explained; scanned: string[] }> {
    let result: { explained: Explained; scanned: string[] } | undefined
    const undone = executor.transaction(async (tx) => {
      const [explained] = await tx.query<Explained>(`explain (analyze, buffers, format json) ${text}`, params)
      // Sees into functions too.
      const scans = await tx.query<{ name: string }>(
        `select relname as name from pg_stat_xact_user_tables where seq_scan > 0 and relname like 'oidc%'`,
      )
      if (explained) result = { explained, scanned: scans.map(({ name }) => name) }
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    if (!result) throw new Error('no plan')
    return result
  }

  it('use an index, and touch what they are about', async () => {
    for (const statement of await statements()) {
      const { explained, scanned } = await run(statement)
      const [{ Plan: plan, 'Execution Time': time }] = explained['QUERY PLAN']
      const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
      const { name } = statement
      expect({ name, scanned: [...scanned, ...endToEnd(plan)] }).toEqual({ name, scanned: [] })
      expect({ name, blocks }).toEqual({ name, blocks: expect.any(Number) })
      expect(blocks, name).toBeLessThan(BLOCKS * recordsOf(statement))
      if (process.env.OSTIARY_PLAN_ROWS) {
        const indexes = nodes(plan).flatMap((node) => node['Index Name'] ?? [])
        console.log(
          `${name}: ${blocks} blocks, ${time} ms, ${[...new Set(indexes)].join(' ') || plan['Node Type']}`,
        )
      }
    }
  }, 120_000)

  it('use an index when they are planned for any parameters', async () => {
    await executor.query('set plan_cache_mode = force_generic_plan')
    for (const { name, text, params } of await statements()) {
      await executor.query(`prepare plan as ${text}`)
      const [explained] = await executor.query<Explained>(
        `explain (format json) execute plan (${params.map(literal).join(', ')})`,
      )
      await executor.query('deallocate plan')
      const scanned = explained ? endToEnd(explained['QUERY PLAN'][0].Plan) : ['?']
      expect({ name, scanned }).toEqual({ name, scanned: [] })
    }
  })
})
