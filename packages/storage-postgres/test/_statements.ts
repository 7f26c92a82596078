/** Every statement that the stores send. plans.long.test.ts explains them; other tests check that the stores send no others. */

import {
  bucketByHash,
  type ClientDocument,
  type CodeRedemption,
  type Grant,
  type LogoutDelivery,
  type Pending,
  personTag,
  type RealmStorage,
  type Session,
  type SigningKey,
} from '@ostiary/core'
import type {
  Factor,
  FactorStore,
  Link,
  LinkStore,
  RememberedDevice,
  RememberedDeviceStore,
  Ticket,
  TicketStore,
  User,
  UserStore,
} from '@ostiary/identity'
import type { MailQueue, QueuedMail } from '@ostiary/identity/mail'
import { clientRecord } from '@ostiary/test-kit/client-record'
import {
  type AddressIndex,
  type Executor,
  type Param,
  postgresLease,
  postgresStorage,
  postgresStores,
  type StorageOptions,
} from '../src/index.js'
import { id, NOW, REALM, subOf } from './_full-tables.js'

/** The limit of a page, a claim or a list. */
export const LIMIT = 20

export interface Statement {
  name: string
  text: string
  params: readonly Param[]
}

/** So that a name or an account elsewhere is taken over, and a new user or link stored: where both are two statements. */
const ANSWERS: readonly [part: string, row: object][] = [
  ['as is_old', { sub: 'before', created_at: 1, claim: 'claim', is_old: true, number: 1 }],
  ['as age from oidc_usernames', { sub: 'before', created_at: 1, age: 60 }],
  ['update oidc_usernames', { created_at: 2 }],
  ['update oidc_link_keys', { sub: 'new' }],
  ['insert into oidc_links', { sub: 'new' }],
  [
    'delete from oidc_links where realm = $1 and bucket = $2 and sub = $3 and issuer = $4 and subject = $5 and',
    { sub: 'before' },
  ],
  ['$3::text::json) on conflict do nothing returning sub', { sub: 'new' }],
]

/** An executor that records statements, and returns no rows but the user that `update` and `delete` look up before they write. */
function recorder(): Executor & { statements: Statement[]; name: string } {
  const statements: Statement[] = []
  const self = {
    statements,
    name: '',
    query: async <T>(text: string, params: readonly Param[] = []): Promise<T[]> => {
      statements.push({ name: self.name, text, params })
      const is_look_up =
        /^users\.(update|delete)$/.test(self.name) && /^\s*select .* from oidc_users\s/.test(text)
      // Only for look-ups: a divided database has a statement for each bucket, and each would read all before it.
      const isFirst = () =>
        statements.filter((one) => one.name === self.name && one.text === text).length === 1
      if (is_look_up && isFirst()) return [{ ...user, username_key: `user ${row}`, updated_at: 1 } as T]
      return ANSWERS.filter(([part]) => text.includes(part)).map(([, answer]) => answer as T)
    },
    transaction: () => Promise.reject(new Error('no store needs one')),
    close: async () => {},
  }
  return self
}

type Calls<Store> = { [Method in keyof Store]-?: (store: Store) => Promise<unknown>[] }
type AllCalls = { [Name in Exclude<keyof RealmStorage, 'purge'>]: Calls<RealmStorage[Name]> }

/** The rows of each table. Half of them have expired; the statements read records that expire soon after. */
export const ROWS = Number(process.env.OSTIARY_PLAN_ROWS) || 40_000
const row = ROWS / 2 + 5
const grant: Grant = {
  grant_id: 'new',
  client_id: 'c',
  sub: 's',
  sid: 'sid',
  offline: false,
  scopes: [],
  resource: null,
  auth_time: null,
  amr: [],
  acr: null,
  client_auth: null,
  jkt: null,
  created_at: NOW,
  expires_at: NOW,
  revoked_at: null,
}
const code = {
  code_hash: 'new',
  grant_id: 'new',
  redirect_uri: 'r',
  redirect_uri_sent: true,
  code_challenge: 'c',
  nonce: null,
  dpop_jkt: null,
  expires_at: NOW,
  redeemed_at: null,
}
const token = {
  token_hash: 'new',
  grant_id: id('grant', row),
  created_at: NOW,
  expires_at: NOW,
  spent_at: null,
}
const next: CodeRedemption = {
  refresh_token: token,
  grant_expires_at: NOW + 1,
  client_auth: 'none',
  jkt: null,
}
const document: ClientDocument = {
  client_id: `https://client-${row}.example/`,
  document: '{}',
  etag: null,
  last_modified: null,
  fetched_at: NOW,
  fresh_until: NOW,
  changed_at: NOW,
  expires_at: NOW,
}
const session: Session = {
  sid: 'new',
  session_hash: 'new',
  sub: 's',
  auth_time: 1,
  amr: [],
  acr: null,
  created_at: 1,
  raised_at: null,
  expires_at: NOW,
  user_agent: null,
  last_used_at: null,
  client_ids: ['a', 'b'],
}
const raised = { session_hash: 'raised', auth_time: NOW, amr: ['pwd'], acr: '2', raised_at: NOW }
const client = clientRecord({ client_id: `client-${row}` })
const key: SigningKey = {
  kid: 'new',
  alg: 'RS256',
  public_jwk: { kty: 'RSA', n: 'n', e: 'e' },
  sealed_private_key: 's',
  signs_from: 1,
  created_at: 1,
}
const delivery: LogoutDelivery = {
  delivery_id: 'new',
  client_id: 'c',
  sub: 's',
  sid: 's',
  uri: 'u',
  host: 'h',
  session_required: true,
  created_at: 1,
  attempts: 0,
  next_attempt_at: 1,
}
const user: User = {
  sub: `sub-${row}`,
  username: 'n',
  username_key: `user ${row}`,
  password_hash: null,
  claims: {},
  attributes: null,
  groups: null,
  created_at: 1,
  updated_at: 2,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
}
const factor: Factor = {
  factor_id: `new${personTag(user.sub)}`,
  sub: user.sub,
  kind: 'passkey',
  label: 'Phone',
  created_at: NOW,
  last_used_at: null,
  state: '0',
  data: {},
}
const ticket: Ticket = {
  ticket_hash: `new${personTag(user.sub)}`,
  purpose: 'recover',
  sub: user.sub,
  credential_version: 0,
  created_at: NOW,
  expires_at: NOW,
}
const link: Link = {
  issuer: 'https://accounts.google.com',
  subject: `subject-${row}`,
  upstream: 'google',
  sub: subOf(row),
  label: 'ann',
  linked_at: NOW,
  last_used_at: null,
}
const device: RememberedDevice = {
  device_id: id('device', row),
  sub: subOf(row),
  label: 'Firefox',
  secret_hash: 'hash',
  former_hash: null,
  credential_version: 0,
  created_at: NOW,
  last_used_at: null,
  expires_at: NOW,
}
const mail: QueuedMail = {
  mail_id: id('mail', row),
  realm: REALM,
  data: 'data',
  attempts: row % 2,
  created_at: NOW,
  next_attempt_at: NOW,
}
const pending: Pending = {
  kind: 'logout',
  pending_hash: 'new',
  expires_at: NOW,
  sid: 's',
  request: { client_id: null, post_logout_redirect_uri: null, state: null },
}
const sub = subOf(row)
const client_id = `client-${row % 4}`

const sweep = { client_id, before: NOW }
const AFTER = JSON.stringify([sub, client_id])
/** Of a database that is divided by buckets: the bucket of the step comes first. */
const AFTER_IN_BUCKET = JSON.stringify([bucketByHash(sub), sub, client_id])

/** Calls of each method of each store, with all kinds of arguments. The compiler checks that no method is missing. */
const callsOf = (after: string): AllCalls => ({
  clients: {
    find: (s) => [s.find(client.client_id)],
    create: (s) => [s.create({ ...client, client_id: 'new' })],
    update: (s) => [s.update(client), s.update(client, client)],
    setSecret: (s) => [s.setSecret(client.client_id, 'hash')],
    keep: (s) => [s.keep(client.client_id)],
    revoke: (s) => [s.revoke(client.client_id, NOW)],
    list: (s) => [s.list({ limit: LIMIT }), s.list({ limit: LIMIT, after: client.client_id })],
    delete: (s) => [s.delete({ ...client, revoked_at: 1, expires_at: NOW })],
    deleted: (s) => [s.deleted(NOW, LIMIT)],
    forget: (s) => [s.forget(client.client_id, NOW)],
  },
  consents: {
    find: (s) => [s.find(sub, client_id, ['r', 'q'])],
    merge: (s) => [s.merge({ sub, client_id, approved: [{ resource: 'r', scopes: ['b'] }] }, NOW)],
    revoke: (s) => [s.revoke({ sub, client_id }, NOW), s.revoke({ sub, client_id, resource: 'r' }, NOW)],
    list: (s) => [s.list(sub)],
    delete: (s) => [s.delete({ sub }), s.delete({ sub, client_id })],
    deleteOfClient: (s) => [s.deleteOfClient(sweep), s.deleteOfClient({ ...sweep, after })],
  },
  grants: {
    create: (s) => [s.create(grant, code)],
    find: (s) => [s.find(id('grant', row))],
    findCode: (s) => [s.findCode(id('code', row))],
    redeemCode: (s) => [s.redeemCode(id('code', row), next, NOW)],
    findRefreshToken: (s) => [s.findRefreshToken(id('token', row))],
    rotateRefreshToken: (s) => [s.rotateRefreshToken(id('token', row), next, NOW)],
    renewRefreshToken: (s) => [
      s.renewRefreshToken(id('token', row), { expires_at: NOW + 1, grant_expires_at: NOW + 1 }),
    ],
    revoke: (s) => [
      s.revoke({ grant_id: id('grant', row) }, NOW),
      s.revoke({ sid: id('sid', row - (row % 2)) }, NOW),
      s.revoke({ sub, client_id }, NOW),
      s.revoke({ sub, client_id, resource: 'r' }, NOW),
      s.revoke({ sub, client_id, resource: null }, NOW),
      s.revoke({ sub, offline: false }, NOW),
      s.revoke({ sub }, NOW),
    ],
    revokeOfClient: (s) => [s.revokeOfClient(sweep, NOW), s.revokeOfClient({ ...sweep, after }, NOW)],
    list: (s) => [s.list(sub, NOW)],
  },
  revoked_tokens: {
    add: (s) => [s.add('new', NOW)],
    has: (s) => [s.has(id('jti', row))],
  },
  sessions: {
    create: (s) => [s.create(session)],
    find: (s) => [s.find(id('hash', row))],
    join: (s) => [s.join(id('sid', row), 'new')],
    raise: (s) => [s.raise(id('sid', row), raised, id('hash', row))],
    touch: (s) => [s.touch(id('sid', row), NOW)],
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
    ensure: (s) => [s.ensure(key), s.ensure({ ...key, alg: 'ES256' })],
    add: (s) => [s.add(key)],
    reseal: (s) => [s.reseal(`kid-${row}`, 'sealed')],
    drop: (s) => [s.drop(`kid-${row}`)],
  },
  logouts: {
    add: (s) => [s.add([delivery])],
    claim: (s) => [
      s.claim({ now: NOW, lease: 30, limit: LIMIT, share: 5, except: { hosts: ['h'], subs: ['s'] } }),
    ],
    settle: (s) => [s.settle(id('delivery', row), null), s.settle(id('delivery', row), NOW)],
  },
  throttle: {
    hit: (s) => [s.hit('login:new', 60, NOW)],
    hitBoth: (s) => [s.hitBoth({ first: 'login', max: LIMIT, second: 'login:new' }, 60, NOW)],
    release: (s) => [s.release('login:new', 60, NOW)],
    list: (s) => [s.list('login:new', NOW)],
    reset: (s) => [s.reset('login:new')],
  },
  replays: {
    claim: (s) => [s.claim('new', NOW, NOW), s.claim(id('replay', row), NOW, NOW)],
  },
  client_documents: {
    find: (s) => [s.find(document.client_id)],
    put: (s) => [s.put(document), s.put({ ...document, client_id: 'new' })],
    list: (s) => [s.list({ limit: LIMIT }), s.list({ limit: LIMIT, after: document.client_id })],
    delete: (s) => [s.delete(document.client_id)],
  },
})

const USER_CALLS: Calls<UserStore> = {
  find: (s) => [s.find(user.sub)],
  findByUsername: (s) => [s.findByUsername(user.username_key)],
  create: (s) => [s.create({ ...user, sub: 'new', username_key: 'new' })],
  update: (s) => [s.update({ ...user, username_key: 'renamed' }, 1)],
  delete: (s) => [s.delete(user.sub)],
  list: (s) => [s.list({ limit: LIMIT }), s.list({ limit: LIMIT, after: user.sub })],
}

const FACTOR_CALLS: Calls<FactorStore> = {
  list: (s) => [s.list(sub)],
  find: (s) => [s.find(id('factor', row))],
  change: (s) => [
    s.change({ sub: user.sub, add: [factor] }, { credential_version: 0, now: NOW }),
    s.change({ sub, remove: [id('factor', row)], second_step: true }, { credential_version: 0, now: NOW }),
  ],
  use: (s) => [s.use(id('factor', row), '0', { state: '1', last_used_at: NOW })],
  rename: (s) => [s.rename(id('factor', row), 'Tablet')],
  page: (s) => [s.page({ limit: LIMIT }), s.page({ limit: LIMIT, after: id('factor', row) })],
  reseal: (s) => [s.reseal(id('factor', row), {}, { secret: 'sealed' })],
}

const LINK_CALLS: Calls<LinkStore> = {
  find: (s) => [s.find(link.issuer, link.subject)],
  list: (s) => [s.list(sub)],
  add: (s) => [s.add({ ...link, subject: 'new' }, { credential_version: 0, now: NOW })],
  remove: (s) =>
    [{ ...link, sub: 'before' }, link].map((one) => s.remove(one, { credential_version: 0, now: NOW })),
  use: (s) => [s.use(link, NOW)],
}

const ADDRESS = `user-${row}@example.com`
const ADDRESS_CALLS: Calls<Omit<AddressIndex, 'transaction'>> = {
  find: (s) => [s.find(ADDRESS)],
  add: (s) => [s.add(ADDRESS, 'new')],
  remove: (s) => [s.remove(ADDRESS, sub)],
}

const TICKET_CALLS: Calls<TicketStore> = {
  put: (s) => [s.put(ticket)],
  find: (s) => [s.find(id('ticket', row))],
  findOf: (s) => [s.findOf(sub, 'recover')],
  list: (s) => [
    s.list({ purpose: 'recover', limit: LIMIT }),
    s.list({ purpose: 'recover', limit: LIMIT, after: sub }),
  ],
  take: (s) => [s.take(id('ticket', row))],
}

const DEVICE_CALLS: Calls<RememberedDeviceStore> = {
  list: (s) => [s.list(sub)],
  add: (s) => [s.add({ ...device, device_id: 'new' })],
  renew: (s) => [s.renew(device, { secret_hash: 'next', last_used_at: NOW })],
  remove: (s) => [s.remove(sub, device.device_id)],
}

const MAIL_CALLS: Calls<MailQueue> = {
  add: (s) => [s.add({ ...mail, mail_id: 'new' })],
  claim: (s) => [s.claim({ now: NOW, lease: 30, limit: LIMIT, share: 5 })],
  settle: (s) => [s.settle(mail, null), s.settle(mail, { data: 'next', next_attempt_at: NOW })],
  page: (s) => [s.page({ limit: LIMIT }), s.page({ limit: LIMIT, after: mail.mail_id })],
  reseal: (s) => [s.reseal(mail.mail_id, 'data', 'sealed')],
}

const OF_IDENTITY = {
  users: USER_CALLS,
  factors: FACTOR_CALLS,
  links: LINK_CALLS,
  addresses: ADDRESS_CALLS,
  tickets: TICKET_CALLS,
  remembered_devices: DEVICE_CALLS,
  mails: MAIL_CALLS,
}

export async function statements(options: StorageOptions = {}): Promise<Statement[]> {
  const db = recorder()
  const { storage, mails, ...of } = postgresStores(db, options)
  const { users, factors, links, addresses, tickets, remembered_devices } = of
  const calls_of_stores = callsOf(options.sharded ? AFTER_IN_BUCKET : AFTER)
  const stores = {
    ...storage(REALM),
    users: users(REALM),
    factors: factors(REALM),
    links: links(REALM),
    addresses: addresses(REALM),
    tickets: tickets(REALM),
    remembered_devices: remembered_devices(REALM),
    mails,
  }
  // Their statements that read grants and sessions do not read the user too.
  const { grants, sessions } = postgresStorage(db, options)(REALM)
  const alone = { grants, sessions }
  for (const [name, calls] of Object.entries({ ...calls_of_stores, ...OF_IDENTITY }))
    for (const [method, call] of Object.entries(calls)) {
      db.name = `${name}.${method}`
      for (const all of [stores, alone]) {
        if (!(name in all)) continue
        const store = all[name as keyof typeof all]
        await Promise.all(call(store))
        // Several keys at a time have statements of their own.
        if (/^(find|has)/.test(method)) await Promise.all([call(store), call(store)].flat())
      }
    }
  db.name = 'issue'
  const issue = storage.issue?.(REALM)
  const issued: Grant = { ...grant, sub, client_id, sid: id('sid', row) }
  for (const consent of [null, { resource: 'r', scopes: ['a'] }])
    await issue?.(issued, code, consent).catch(() => {})
  db.name = 'purge'
  await stores.purge(NOW)
  await storage.background?.purge(NOW)
  db.name = 'background.due'
  await storage.background?.due({ now: NOW, realms: [], keys_before: NOW })
  db.name = 'lease'
  const lease = postgresLease(db, 'background')
  await lease.take('holder', 15).catch(() => {})
  await lease.giveBack('holder')
  return db.statements
}

/** The executor, and the statements that are sent through it. */
export function recorded(executor: Executor): { executor: Executor; texts: Set<string> } {
  const texts = new Set<string>()
  const query: Executor['query'] = (text, params) => {
    texts.add(text)
    return executor.query(text, params)
  }
  return { executor: { ...executor, query }, texts }
}

/** Statements that plans.long.test.ts does not explain: add a call that sends them to `callsOf`. */
export async function unexplained(texts: Iterable<string>): Promise<string[]> {
  const explained = new Set((await statements()).map(({ text }) => text))
  return [...texts].filter((text) => !explained.has(text))
}
