/** Everything that the database has about a user is in the document, but secrets; and what a deletion leaves. */

import { openRoleStore, type RecordsChange } from '@ostiary/admin'
import { type AuditRow, createAudit, databaseAuditStore, openAuditStore } from '@ostiary/audit'
import { createProvider, personTag } from '@ostiary/core'
import type { User } from '@ostiary/identity'
import { type Executor, postgresExecutor, postgresStorage, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { PersonalData } from '../src/index.ts'
import { exportUser } from '../src/run.ts'
import { LEFT_AFTER_DELETION, OTHER_TABLES, PERSONAL } from './tables.ts'

const REALM = 'default'
const NOW = Math.floor(Date.now() / 1000)
const SECRETS = [
  'the-password-hash',
  'the-secret-hash',
  'the-former-hash',
  'the-sealed-secret',
  'the-user-handle',
]

let db: Executor
beforeEach(async () => {
  db = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => db.close())
})

/** An id of a record of the user. */
const idOf = (name: string, sub: string) => name.padEnd(20, '-') + personTag(sub)

const record = (sub: string): User => ({
  sub,
  username: `Name of ${sub}`,
  username_key: `name of ${sub}`,
  password_hash: 'the-password-hash',
  claims: { email: `${sub}@example.com`, name: sub },
  attributes: { department: 'Sales' },
  groups: ['staff'],
  terms: { version: '2', accepted_at: NOW - 5 },
  created_at: NOW - 100,
  updated_at: NOW - 100,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
})

/** A user with a row in each table. */
async function fullUser(sub: string) {
  const storage = postgresStorage(db)(REALM)
  const stores = postgresStores(db)
  const audit = createAudit({ store: databaseAuditStore(db), now: () => NOW })
  const audited = audit.stores(stores)
  const users = audited.users(REALM)
  await users.create(record(sub))
  const factor = { sub, created_at: NOW - 50, last_used_at: NOW - 1 }
  const passkey = {
    credential_id: `credential-of-${sub}`,
    public_key: 'key',
    algorithm: -7,
    backup_eligible: true,
    transports: ['usb'],
    aaguid: 'aaguid',
    rp_id: 'id.example.com',
    user_handle: 'the-user-handle',
  }
  await audited.factors(REALM).change(
    {
      sub,
      second_step: true,
      add: [
        {
          ...factor,
          factor_id: idOf('passkey', sub),
          kind: 'passkey',
          label: 'Key',
          state: '1 0',
          data: passkey,
        },
        {
          ...factor,
          factor_id: idOf('app', sub),
          kind: 'totp',
          label: 'Phone',
          state: '1',
          data: { secret: 'the-sealed-secret' },
        },
      ],
    },
    { credential_version: 0, now: NOW - 40 },
  )
  await stores.remembered_devices(REALM).add({
    device_id: idOf('device', sub),
    sub,
    label: 'Firefox, Linux',
    secret_hash: 'the-secret-hash',
    former_hash: 'the-former-hash',
    credential_version: 1,
    created_at: NOW - 30,
    last_used_at: NOW - 3,
    expires_at: NOW + 1000,
  })
  await stores.links(REALM).add(
    {
      issuer: 'https://accounts.example.com',
      subject: `subject-of-${sub}`,
      upstream: 'google',
      sub,
      label: 'Ann at Google',
      linked_at: NOW - 20,
      last_used_at: NOW - 2,
    },
    { credential_version: 1, now: NOW - 20 },
  )
  await stores.tickets(REALM).put({
    ticket_hash: idOf('the-secret-hash', sub),
    purpose: 'reset',
    sub,
    credential_version: 2,
    created_at: NOW - 10,
    expires_at: NOW + 600,
  })
  const sid = idOf('session', sub)
  const signed_in = { auth_time: NOW - 60, amr: ['pwd', 'otp'], acr: '2' }
  await storage.sessions.create({
    sid,
    session_hash: idOf('the-secret-hash', sub),
    sub,
    ...signed_in,
    created_at: NOW - 60,
    raised_at: NOW - 55,
    expires_at: NOW + 5000,
    last_used_at: NOW - 4,
    client_ids: [],
    user_agent: 'Firefox/142.0',
  })
  await storage.sessions.join(sid, 'notes')
  const grant_id = idOf('grant', sub)
  const code = {
    code_hash: idOf('the-secret-hash', sub),
    grant_id,
    redirect_uri: 'https://notes.example.com/cb',
    redirect_uri_sent: true,
    code_challenge: null,
    nonce: null,
    dpop_jkt: null,
    expires_at: NOW + 60,
    redeemed_at: null,
  }
  await storage.grants.create(
    {
      grant_id,
      client_id: 'notes',
      sub,
      sid,
      offline: false,
      scopes: ['openid', 'email'],
      resource: 'https://api.example.com',
      ...signed_in,
      client_auth: 'none',
      jkt: 'thumbprint',
      created_at: NOW - 59,
      expires_at: NOW + 4000,
      revoked_at: null,
    },
    code,
  )
  await storage.consents.merge(
    { sub, client_id: 'notes', approved: [{ resource: 'https://api.example.com', scopes: ['email'] }] },
    NOW - 58,
  )
  await db.query(`insert into oidc_roles values ('${REALM}', 'sub:${sub}', 'auditor', '["${REALM}"]')`)
  audit.onEvent({
    type: 'session.started',
    time: NOW - 60,
    realm: REALM,
    sub,
    sid,
    amr: ['pwd'],
    address: '192.0.2.7',
  } as never)
  await audit.flush()
  return { sub, users, stores, storage }
}

type FullUser = Awaited<ReturnType<typeof fullUser>>

const managed = () =>
  createProvider({
    oidc: { issuer: 'https://id.example.com' },
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    storage: postgresStorage(db),
    accounts: { find: async (sub) => ({ sub, claims: {} }) },
    interactions: { login: async () => new Response() },
    on_event: () => {},
  }).manage(REALM)

const functions = { admin: { openRoleStore }, audit: { openAuditStore } }

async function exported(
  { sub, stores }: Pick<FullUser, 'sub' | 'stores'>,
  audit: RecordsChange | null = null,
): Promise<PersonalData> {
  const user = await stores.users(REALM).find(sub)
  if (user === null) throw new Error(`There is no user ${sub}`)
  const opened = {
    realm: { id: REALM },
    records: db,
    management: await managed(),
    factors: stores.factors(REALM),
    tickets: stores.tickets(REALM),
    links: stores.links(REALM),
    users: stores.users(REALM),
    remembered_devices: stores.remembered_devices(REALM),
    audit,
  }
  return (await exportUser(opened, user, functions)).json as PersonalData
}

it('the list of tables and columns is that of the database', async () => {
  const rows = await db.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns where table_schema = 'public'`,
  )
  const tables = new Set(rows.map(({ table_name }) => table_name))
  expect([...tables].sort()).toEqual([...Object.keys(PERSONAL), ...Object.keys(OTHER_TABLES)].sort())
  for (const [table, { columns }] of Object.entries(PERSONAL)) {
    const of_table = rows.filter(({ table_name }) => table_name === table)
    expect([table, of_table.map(({ column_name }) => column_name).sort()]).toEqual([
      table,
      Object.keys(columns).sort(),
    ])
  }
})

it('each value of the user that is not left out is in the document, and none of another user', async () => {
  const ann = await fullUser('ann')
  await fullUser('eve')
  const document = await exported(ann)
  for (const [table, { list, columns }] of Object.entries(PERSONAL)) {
    const rows = await rowsAbout(table, 'ann')
    expect([table, rows.length]).not.toEqual([table, 0])
    const entries = [document[list as keyof PersonalData]].flat() as unknown as Record<string, unknown>[]
    for (const row of rows)
      for (const [column, member] of Object.entries(columns))
        if (typeof member === 'string' && column !== 'claims' && column !== 'data')
          expect([table, column, entries.map((entry) => entry[member]).some(isIn(row[column]))]).toEqual([
            table,
            column,
            true,
          ])
  }
  expect(document.user).toMatchObject({
    claims: { email: 'ann@example.com', name: 'ann' },
    attributes: { department: 'Sales' },
    groups: ['staff'],
    terms: { version: '2' },
    has_password: true,
  })
  expect(document.factors.map(({ passkey }) => passkey)).toEqual([
    undefined,
    expect.objectContaining({
      credential_id: 'credential-of-ann',
      rp_id: 'id.example.com',
      transports: ['usb'],
    }),
  ])
  expect(document.audit).toContainEqual(
    expect.objectContaining({
      type: 'session.started',
      address: '192.0.2.7',
      data: expect.objectContaining({ sid: expect.any(String) }),
    }),
  )
  // A random id may have these letters in it.
  expect(JSON.stringify(document)).not.toMatch(/\beve\b/)
})

it('has no secret, and no hash of one', async () => {
  const text = JSON.stringify(await exported(await fullUser('ann')))
  for (const secret of SECRETS) expect([secret, text.includes(secret)]).toEqual([secret, false])
})

it('has all rows of the audit, of several pages, also those of what the user has done to others', async () => {
  const ann = await fullUser('ann')
  await db.query(`
    insert into oidc_audit select '${REALM}', 'row-' || lpad(i::text, 6, '0'), ${NOW}, 'client.update', 'done',
      case when i % 2 = 0 then 'sub:ann' else 'system' end, case when i % 2 = 0 then 'eve' else 'ann' end, null, null,
      '{}', 1, '{}', null, null, null, null, null, null from generate_series(1, 4200) as i`)
  const { audit } = await exported(ann)
  const ids = audit.map(({ audit_id }) => audit_id)
  expect(ids.filter((id) => id.startsWith('row-'))).toHaveLength(4200)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual([...ids].sort())
})

it('each export has a row, written before the document is given: without the row, nothing is given', async () => {
  const ann = await fullUser('ann')
  const store = databaseAuditStore(db)
  const rows = async () =>
    (await store.list(REALM, { filter: { type: 'user.export' }, limit: 9 })).map(shownRow)
  await exported(ann)
  expect(await rows()).toEqual([])
  const audit = createAudit({ store, now: () => NOW }).as('sub:boss', 'request-1')
  const document = await exported(ann, audit)
  expect(await rows()).toEqual([['sub:boss', 'ann', 'done']])
  // The next document says it to the person.
  expect(document.audit.map(({ type }) => type)).not.toContain('user.export')
  expect((await exported(ann)).audit.map(({ type }) => type)).toContain('user.export')
  const failing = { ...store, put: () => Promise.reject(new Error('it does not answer')) }
  const unwritten = createAudit({ store: failing, now: () => NOW }).as('sub:boss', 'request-2')
  await expect(exported(ann, unwritten)).rejects.toThrow('the audit could not be written')
})

const shownRow = ({ actor, sub, outcome }: AuditRow) => [actor, sub, outcome]

it('the deletion of a user leaves what is listed, and nothing that names the person', async () => {
  const { sub, users } = await fullUser('ann')
  await fullUser('eve')
  const management = await managed()
  await management.users.delete(sub)
  await users.delete(sub)
  for (const table of [
    ...Object.keys(PERSONAL),
    'oidc_usernames',
    'oidc_link_keys',
    'oidc_authorization_codes',
    'oidc_refresh_tokens',
  ]) {
    const rows = await rowsAbout(table, sub)
    if (table in LEFT_AFTER_DELETION)
      expect(JSON.stringify(rows)).not.toMatch(/ann@|Name of|name of|192\.0|Sales|Firefox/)
    else expect([table, rows]).toEqual([table, []])
  }
  expect(await rowsAbout('oidc_users', 'eve')).toHaveLength(1)
})

/** Rows of the table whose user, or whose session or grant, is this one. */
async function rowsAbout(table: string, sub: string): Promise<Record<string, unknown>[]> {
  const { [table]: condition = 'sub = $1' } = {
    oidc_session_browsers: 'sid = $2',
    oidc_session_clients: 'sid = $2',
    oidc_authorization_codes: 'grant_id = $3',
    oidc_refresh_tokens: 'grant_id = $3',
    oidc_roles: `holder = 'sub:' || $1`,
  }
  const ids = [sub, idOf('session', sub), idOf('grant', sub)]
  const rows = await db.query<{ row: string }>(
    `select to_json(t)::text as row from ${table} as t where realm = '${REALM}' and ${condition} and $1 || $2 || $3 <> ''`,
    ids,
  )
  return rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>)
}

/** Whether a value of the document is that of the column, or has it. */
const isIn =
  (stored: unknown) =>
  (value: unknown): boolean =>
    JSON.stringify(value) === JSON.stringify(stored) ||
    JSON.stringify(value) === stored ||
    (Array.isArray(value) && value.includes(stored))
