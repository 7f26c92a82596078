/** The commands `export` and `import`: a realm leaves one database and comes to another one, whole or not at all. */

import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bucketByHash, createProvider, personTag, type RealmStorage, sha256 } from '@ostiary/core'
import {
  createUser,
  type Factor,
  type FactorStore,
  type LinkStore,
  setDisabled,
  type UserStore,
} from '@ostiary/identity'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { beforeAll, describe, expect, it } from 'vitest'
import { TOTP_SECRET_USE } from '../../identity/src/factors/totp/totp-factor.ts'
import { createSealer } from '../../identity/src/web/sealed.ts'
import { run } from '../src/index.ts'

const SECRET = 'only-for-tests-only-for-tests-only-for-tests'
const OTHER_SECRET = 'another-secret-another-secret-another-secret'
const CONFIG = {
  oidc: {
    issuer: 'https://id.example.com',
    routes: { realms: 'path' },
    realms: { default: {}, acme: {} },
    clients: { private_key_jwt: true },
    keys: { algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'] as const },
    dpop: 'on',
    par: 'allowed',
  },
}

interface Place {
  url: string
  storage: RealmStorage
  users: UserStore
  factors: FactorStore
  links: LinkStore
  query: ReturnType<typeof postgresExecutor>['query']
  /** @param onOut Called with each text of standard output, which the command awaits. */
  ostiary(
    line: string,
    env?: Record<string, string>,
    onOut?: (text: string) => Promise<void>,
  ): Promise<{ code: number; out: string; err: string }>
}

let cwd: string

async function place(cleanUp?: Parameters<typeof migratedDatabase>[0]): Promise<Place> {
  const url = await migratedDatabase(cleanUp)
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 2 })
  const { storage, users, factors, links } = postgresStores(executor)
  return {
    url,
    storage: storage('default'),
    users: users('default'),
    factors: factors('default'),
    links: links('default'),
    query: executor.query,
    async ostiary(line, env = {}, onOut = async () => {}) {
      const [out, err]: [string[], string[]] = [[], []]
      const code = await run(
        line.split(' '),
        { serve: async () => 0 },
        {
          env: { OIDC_SECRET: SECRET, DATABASE_URL: url, ...env },
          cwd,
          stdin: async () => '',
          out(text) {
            out.push(text)
            return onOut(text)
          },
          err: (text) => void err.push(text),
        },
      )
      // The events of commands are tested in apps/server-tests.
      const shown = err.filter((text) => !text.includes('"event":"command.done"'))
      return { code, out: out.join(''), err: shown.join('') }
    },
  }
}

const CONFIDENTIAL = clientRecord({
  client_id: 'worker',
  client_secret_hash: sha256('a-secret'),
  token_endpoint_auth_method: 'client_secret_post',
  token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
  grant_types: ['client_credentials'],
  redirect_uris: [],
  access_token_lifetime: 60,
})

const BY_KEYS = {
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'ES256',
} as const
const X = 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'
const Y = 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'

const DOCUMENT_URL = `https://client.example.com/${'x'.repeat(400)}.json`
const DOCUMENT = {
  client_id: DOCUMENT_URL,
  document: ` { "client_id": "${DOCUMENT_URL}",\n"client_name": "Änn’s \\u0041pp" }`,
  etag: 'W/"1"',
  last_modified: null,
  fetched_at: 1_700_000_000,
  fresh_until: 1_700_003_600,
  changed_at: 1_699_999_999,
  expires_at: 1_707_776_000,
}

const appSealer = (secret: string) => createSealer({ secret }, TOTP_SECRET_USE)

/** The stored secret of the app, if this secret of the provider has encrypted it for the realm; otherwise null. */
async function appSecret({ query }: Place, secret: string, realm = 'default') {
  const [app] = await query<Factor>(`select * from oidc_factors where kind = 'totp'`)
  const context = [realm, 'ann-1', app?.factor_id ?? '']
  return appSealer(secret).open(String(app?.data.secret), context)?.value ?? null
}

/** Of the user `ann-1`. */
const FACTORS = [
  factorRecord('passkey', 'ann-1', {
    kind: 'passkey',
    label: 'Änn’s phone 🙂',
    last_used_at: 1_700_000_003,
    state: '7',
    data: { public_key: { kty: 'EC', x: 0.1 }, transports: ['usb', null] },
  }),
  factorRecord('codes', 'ann-1', { kind: 'recovery', state: '["a-hash"]' }),
  factorRecord('app', 'ann-1', {
    data: { secret: appSealer(SECRET).seal('AAAA', ['default', 'ann-1', `app-${personTag('ann-1')}`]) },
  }),
]

/** Of the user `ann-1`. */
const LINKS = [
  linkRecord('ann-1', { subject: 'ann', label: 'Änn at Corp', last_used_at: 1_700_000_200 }),
  linkRecord('ann-1', { issuer: 'https://github.com', subject: 'g-1', upstream: 'github' }),
]

async function fill({ storage, users, factors, links }: Place): Promise<void> {
  const now = 1_700_000_000
  const clients = [
    clientRecord({ client_name: 'Änn’s App 🙂', policy_uri: 'https://client.example.com/policy' }),
    CONFIDENTIAL,
    clientRecord({
      client_id: 'registered',
      client_name: 'localhost',
      redirect_uris: ['http://localhost/cb'],
      origin: 'registered',
      expires_at: now,
    }),
    clientRecord({ client_id: 'revoked', redirect_uris: [], revoked_at: now, default_scopes: ['gone'] }),
    clientRecord({ client_id: 'gone' }),
    clientRecord({
      ...BY_KEYS,
      client_id: 'keys',
      jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: X, y: Y }] },
    }),
    clientRecord({ ...BY_KEYS, client_id: 'keys-uri', jwks_uri: 'https://client.example.com/keys' }),
    clientRecord({
      client_id: 'bound',
      id_token_signed_response_alg: 'ES256',
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: false,
    }),
  ]
  await storage.client_documents.put(DOCUMENT)
  for (const client of clients) await storage.clients.create(client)
  const provider = createProvider({
    oidc: { issuer: 'https://id.example.com', keys: { algorithms: [...CONFIG.oidc.keys.algorithms] } },
    secret: SECRET,
    storage: () => storage,
    accounts: { find: async () => null },
    interactions: { login: async () => new Response() },
  })
  const management = await provider.manage()
  await management.clients.delete('gone')
  await management.keys.ready()
  await management.keys.rotate({ alg: 'RS256' })
  await management.keys.rotate({ alg: 'ES256' })
  const ann = { username: 'Änn', sub: 'ann-1', password: 'a long passphrase', email: 'ann@example.com' }
  await createUser(users, { ...ann, attributes: { plan: { level: 1 } }, groups: ['staff'] })
  const stored = await users.find('ann-1')
  if (!stored) throw new Error('There is no ann')
  const accepted = { ...stored, terms: { version: '2026-11-01', accepted_at: 1_700_000_000 } }
  await users.update({ ...accepted, updated_at: stored.updated_at + 1 }, stored.updated_at)
  const enrolled = { sub: 'ann-1', add: FACTORS, second_step: true }
  await factors.change(enrolled, { credential_version: 0, now: Math.floor(Date.now() / 1000) })
  for (const [index, link] of LINKS.entries())
    await links.add(link, { credential_version: 1 + index, now: 1_700_000_100 })
  await createUser(users, { username: 'bob', sub: 'bob-1' })
  await createUser(users, { username: 'left', sub: 'left-1' })
  // The server that stored this change has a clock that is a minute ahead.
  const ahead = () => Math.floor(Date.now() / 1000) + 60
  await setDisabled(users, { sub: 'bob-1', disabled: true }, { now: ahead })
  await users.delete('left-1')
  for (const resource of ['https://id.example.com', 'https://api.example.com'])
    await storage.consents.merge(
      { sub: 'ann-1', client_id: 'app', approved: [{ resource, scopes: ['openid', 'email'] }] },
      now,
    )
  const by_document = { resource: 'https://id.example.com', scopes: ['openid'] }
  await storage.consents.merge({ sub: 'ann-1', client_id: DOCUMENT_URL, approved: [by_document] }, now)
  await storage.consents.revoke(
    { sub: 'ann-1', client_id: 'app', resource: 'https://api.example.com' },
    now + 1,
  )
}

/** What doctor says when it has opened every key of the realm. */
const keysOpen = (realm: string): RegExp => {
  const counts = { RS256: 2, ES256: 2, PS256: 1, EdDSA: 1 }
  const lines = Object.entries(counts).map(([alg, n]) => `ok +keys: of realm ${realm} \\(${alg}\\): ${n};`)
  return new RegExp(lines.join('[^]*'))
}

type Row = Record<string, unknown>

/** Everything but the text of sealed keys and the place of a column. */
const contents = async ({ query }: Place) => ({
  clients: await query('select * from oidc_clients order by client_id'),
  documents: await query('select * from oidc_client_documents order by client_id'),
  users: await query<Row>('select * from oidc_users order by sub'),
  usernames: await query<Row>(
    'select realm, bucket, username_key, sub from oidc_usernames order by username_key',
  ),
  factors: await query<Row>('select * from oidc_factors order by factor_id'),
  links: await query<Row>('select * from oidc_links order by subject'),
  accounts: await query<Row>('select realm, bucket, link_key, sub from oidc_link_keys order by link_key'),
  consents: await query<Row>('select * from oidc_consents order by sub, client_id, resource'),
  keys: await query(
    'select realm, kid, alg, public_jwk, signs_from, created_at from oidc_signing_keys order by kid',
  ),
})

/** Every time in a file. */
const TIMES = [
  'client client_id_issued_at',
  'client expires_at',
  'client not_before',
  'client revoked_at',
  'client_document changed_at',
  'client_document expires_at',
  'client_document fetched_at',
  'client_document fresh_until',
  'consent created_at',
  'consent revoked_at',
  'consent updated_at',
  'factor created_at',
  'factor last_used_at',
  'link last_used_at',
  'link linked_at',
  'signing_key created_at',
  'signing_key signs_from',
  'user created_at',
  'user disabled_at',
  'user updated_at',
]

describe('export and import', () => {
  let source: Place
  let full: string
  let bare: string
  let lines: string[]
  beforeAll(async () => {
    const cleanUps: (() => unknown)[] = []
    cwd = await temporaryFolder((clean) => cleanUps.push(clean))
    await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(CONFIG))
    source = await place((clean) => cleanUps.push(clean))
    await fill(source)
    full = join(cwd, 'full.jsonl')
    bare = join(cwd, 'bare.jsonl')
    await source.ostiary(`export --with-secrets --output ${full}`)
    await source.ostiary(`export --output ${bare}`)
    lines = (await readFile(full, 'utf8')).trimEnd().split('\n')
    return async () => {
      for (const clean of cleanUps.reverse()) await clean()
    }
  })

  /** A file with these lines; its last line has their number. */
  async function fileOf(changed: readonly string[], name = 'changed.jsonl'): Promise<string> {
    const file = join(cwd, name)
    const last = JSON.stringify({ kind: 'end', records: changed.length - 1 })
    await writeFile(file, `${[...changed, last].join('\n')}\n`)
    return file
  }
  const header = (changes = {}) => JSON.stringify({ ...JSON.parse(lines[0] ?? ''), ...changes })
  const records = () => lines.slice(1, -1)
  const keysOf = (alg: string) =>
    records().filter((line) => line.includes('signing_key') && line.includes(`"alg":"${alg}"`))
  const named = (id: string) => records().find((line) => line.includes(`"${id}"`)) ?? ''
  const changedRecord = (id: string, changes: object) => {
    const { kind, record } = JSON.parse(named(id))
    return JSON.stringify({ kind, record: { ...record, ...changes } })
  }

  it('a realm comes to another database as it was, and its keys open there', async () => {
    const target = await place()
    const plan = await target.ostiary(`import ${full} --plan`)
    expect(plan).toMatchObject({ code: 0, err: '' })
    expect(plan.out).toMatch(
      /^client +8 +0 +0\nclient_document +1 +0 +0\nuser +2 +0 +0\ndeleted_user +1 +0 +0\nfactor +3 +0 +0\nlink +2 +0 +0\nconsent +3 +0 +0\n/m,
    )
    expect(plan.out).toContain('Nothing is stored: this is the plan\n')
    expect(await target.query('select from oidc_clients')).toEqual([])
    const done = await target.ostiary(`import ${full}`)
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toContain('The records are stored in the realm default\n')
    expect(await contents(target)).toEqual(await contents(source))
    const keys = await target.ostiary('keys list --json')
    expect(JSON.parse(keys.out).keys).toHaveLength(6)
    expect(await target.ostiary('doctor --offline')).toMatchObject({
      out: expect.stringMatching(keysOpen('default')),
    })
    const again = await target.ostiary(`import ${full}`)
    expect(again).toMatchObject({ code: 0 })
    expect(again.out).toMatch(/^client +0 +8 +0$/m)
    expect(again.out).toContain('Nothing to do: the realm default has every record of the file\n')
    expect(await contents(target)).toEqual(await contents(source))
    // The export of the copy is the same file, apart from its time.
    const second = await target.ostiary('export --with-secrets')
    expect(second.out.trimEnd().split('\n').slice(1)).toEqual(lines.slice(1))
    expect(second.err).toContain('keep it like the database')
  })

  it('without secrets there is no hash and no key, and the records need new ones', async () => {
    const text = await readFile(bare, 'utf8')
    for (const word of [
      'secret_hash',
      'password_hash',
      'argon2',
      'sealed',
      sha256('a-secret'),
      'signing_key',
      'totp',
      'an-encrypted-text',
    ])
      expect(text).not.toContain(word)
    expect(text).toContain('"client_id":"worker"')
    const target = await place()
    expect((await source.ostiary('export')).err).toContain('1 authenticator app is left out.')
    const second = await source.ostiary(`export --output ${join(cwd, 'counted.jsonl')} --json`)
    expect(JSON.parse(second.out)).toMatchObject({ factors_left_out: 1, records: { factor: 2 } })
    const done = await target.ostiary(`import ${bare}`)
    expect(done.code).toBe(0)
    expect(done.err).toContain(
      'New confidential clients without their secrets: worker. `client rotate-secret`',
    )
    expect(done.err).toContain('New users without their passwords: Änn, bob. `user set-password`')
    const [worker] = await target.query<{ client_secret_hash: string }>(
      `select client_secret_hash from oidc_clients where client_id = 'worker'`,
    )
    // Confidential still, with a secret that is not known.
    expect(worker?.client_secret_hash).toMatch(/^[\w-]{43}$/)
    expect(worker?.client_secret_hash).not.toBe(CONFIDENTIAL.client_secret_hash)
    expect((await target.users.find('ann-1'))?.password_hash).toBeNull()
    expect((await target.factors.list('ann-1')).map(({ kind }) => kind)).toEqual(['recovery', 'passkey'])
    expect(await target.ostiary(`import ${bare}`)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Nothing to do'),
    })
    expect(await target.ostiary('client rotate-secret worker --yes')).toMatchObject({ code: 0 })
  })

  it('the file is readable by its owner only, and no file is replaced without --force', async () => {
    expect((await stat(full)).mode & 0o777).toBe(0o600)
    const refused = await source.ostiary(`export --output ${full}`)
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('exists already') })
    expect((await readFile(full, 'utf8')).trimEnd().split('\n')).toEqual(lines)
    const open = join(cwd, 'open.jsonl')
    await writeFile(open, 'other', { mode: 0o644 })
    expect(await source.ostiary(`export --output ${open} --force`)).toMatchObject({ code: 0 })
    expect((await stat(open)).mode & 0o777).toBe(0o600)
    expect(await source.ostiary('export --force')).toMatchObject({ code: 2 })
    expect(await source.ostiary('export --realm other')).toMatchObject({ code: 3 })
    expect(await source.ostiary(`export --output ${join(cwd, 'no', 'such.jsonl')}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be written (ENOENT)'),
    })
  })

  it('a conflict is named, and nothing is stored', async () => {
    const target = await place()
    await target.storage.clients.create(clientRecord({ client_name: 'Another App' }))
    await createUser(target.users, { username: 'ÄNN', sub: 'other-1' })
    await createUser(target.users, { username: 'w', sub: 'worker' })
    const before = await contents(target)
    for (const line of [`import ${full} --plan`, `import ${full}`]) {
      const refused = await target.ostiary(line)
      expect(refused.code).toBe(1)
      expect(refused.out).toContain('conflict: client app: the stored record has another client_name, ')
      expect(refused.out).toContain('conflict: user ann-1: another user has its username\n')
      expect(refused.out).toContain('conflict: client worker: a user has this client_id as its sub\n')
      expect(refused.out).toContain(`conflict: factor ${FACTORS[0]?.factor_id}: its user is not stored\n`)
      expect(refused.out).toContain('Nothing is stored: 8 records are in conflict\n')
      expect(await contents(target)).toEqual(before)
    }
  })

  it('another secret and another password are conflicts, in a file with secrets', async () => {
    const target = await place()
    expect(await target.ostiary(`import ${full}`)).toMatchObject({ code: 0 })
    const other_hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$b3RoZXJoYXNob3RoZXJoYXNob3RoZXJoYXNo'
    await target.query(`update oidc_clients set client_secret_hash = 'other' where client_id = 'worker'`)
    await target.query(`update oidc_users set password_hash = '${other_hash}' where sub = 'ann-1'`)
    const refused = await target.ostiary(`import ${full}`)
    expect(refused.code).toBe(1)
    expect(refused.out).toContain(
      'conflict: client worker: the stored record has another client_secret_hash\n',
    )
    expect(refused.out).toContain('conflict: user ann-1: the stored record has another password_hash\n')
    expect(refused.out).toContain('Nothing is stored: 2 records are in conflict\n')
    // A file without secrets says nothing about them.
    expect(await target.ostiary(`import ${bare}`)).toMatchObject({ code: 0 })
    expect((await target.users.find('ann-1'))?.password_hash).toBe(other_hash)
  })

  it('a document that the server has fetched itself stays', async () => {
    const target = await place()
    const stored = { ...DOCUMENT, document: '{}', fetched_at: 1_600_000_000 }
    await target.storage.client_documents.put(stored)
    const done = await target.ostiary(`import ${full}`)
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toMatch(/^client_document +0 +1 +0$/m)
    expect(await target.storage.client_documents.find(DOCUMENT_URL)).toEqual(stored)
  })

  it('a file of the release before says in self_registered who described a client', async () => {
    const target = await place()
    const earlier = records()
      .filter((line) => /"client_id":"(?:app|registered)"/.test(line) && line.includes('"kind":"client"'))
      .map((line) =>
        line.replace(/"origin":"(\w+)"/, (_, origin) => `"self_registered":${origin === 'registered'}`),
      )
    expect(earlier.join()).toMatch(/"self_registered":false.*"self_registered":true/)
    const file = await fileOf([header({ schema: 1 }), ...earlier], 'earlier.jsonl')
    expect(await target.ostiary(`import ${file}`)).toMatchObject({ code: 0, err: '' })
    for (const client_id of ['app', 'registered'])
      expect(await target.storage.clients.find(client_id)).toEqual(
        await source.storage.clients.find(client_id),
      )
  })

  it('a file of the release before has no factors, and users without the version of their credentials', async () => {
    const target = await place()
    const earlier = records()
      .filter((line) => line.includes('"kind":"user"'))
      .map((line) => line.replace(/,"credential_version":\d+,"second_step":\w+/, ''))
    expect(earlier.join()).not.toContain('second_step')
    const file = await fileOf([header({ schema: 3 }), ...earlier], 'earlier.jsonl')
    expect(await target.ostiary(`import ${file}`)).toMatchObject({ code: 0, err: '' })
    const ann = await source.users.find('ann-1')
    expect(ann).toMatchObject({ credential_version: 3, second_step: true })
    expect(await target.users.find('ann-1')).toEqual({ ...ann, credential_version: 0, second_step: false })
  })

  it('a factor of a user who is not stored is a conflict, and so is another factor with its id', async () => {
    const target = await place()
    const factors = records().filter((line) => line.includes('"kind":"factor"'))
    expect(factors).toHaveLength(FACTORS.length)
    const alone = await target.ostiary(`import ${await fileOf([header(), ...factors])}`)
    const conflict = (record: { factor_id: string } | undefined, reason: string) =>
      `conflict: factor ${record?.factor_id}: ${reason}\n`
    expect(alone).toMatchObject({ code: 1 })
    expect(alone.out).toContain(conflict(FACTORS[0], 'its user is not stored'))
    await createUser(target.users, { username: 'ann', sub: 'ann-1' })
    await target.users.delete('ann-1')
    const deleted = await target.ostiary(`import ${await fileOf([header(), ...factors])}`)
    expect(deleted.out).toContain(conflict(FACTORS[0], 'its user is not stored'))
    expect(await target.query('select from oidc_factors')).toEqual([])
    const other = await place()
    expect(await other.ostiary(`import ${full}`)).toMatchObject({ code: 0 })
    await other.factors.rename(FACTORS[0]?.factor_id ?? '', 'Tablet')
    const renamed = await other.ostiary(`import ${full}`)
    expect(renamed.out).toContain(conflict(FACTORS[0], 'the stored record has another label'))
  })

  it('a link of a user who is not stored is a conflict, and so is an account that another user has linked', async () => {
    const target = await place()
    const links = records().filter((line) => line.includes('"kind":"link"'))
    expect(links).toHaveLength(LINKS.length)
    const [google] = LINKS
    const reason = 'its user is not stored, or another user has linked the account'
    const conflict = `conflict: link ann-1 ${google?.issuer} ${google?.subject}: ${reason}\n`
    const alone = await target.ostiary(`import ${await fileOf([header(), ...links])}`)
    expect(alone).toMatchObject({ code: 1 })
    expect(alone.out).toContain(conflict)
    expect(await target.query('select from oidc_link_keys')).toEqual([])
    await createUser(target.users, { username: 'eve', sub: 'eve-1' })
    const eve = await target.users.find('eve-1')
    const of_eve = linkRecord('eve-1', { subject: 'ann' })
    const version = { credential_version: eve?.credential_version ?? 0, now: 1_700_000_100 }
    expect(await target.links.add(of_eve, version)).toBe(true)
    const taken = await target.ostiary(`import ${full}`)
    expect(taken).toMatchObject({ code: 1 })
    expect(taken.out).toContain(conflict)
    expect(await target.links.find(of_eve.issuer, of_eve.subject)).toEqual(of_eve)
    expect(await target.links.list('ann-1')).toEqual([])
  })

  it('lists the first 20 conflicts', async () => {
    const target = await place()
    const clients = Array.from({ length: 25 }, (_, i) => clientRecord({ client_id: `many-${10 + i}` }))
    for (const client of clients) await target.storage.clients.create({ ...client, trusted: true })
    const file = await fileOf([
      header(),
      ...clients.map((record) => JSON.stringify({ kind: 'client', record })),
    ])
    const { out } = await target.ostiary(`import ${file}`)
    expect(out.match(/^conflict: /gm)).toHaveLength(20)
    expect(out).toContain('25 records are in conflict, of which the first 20 are listed')
  })

  it('a sub and a name in the buckets of another person get records of their own, in these buckets', async () => {
    const target = await place()
    await target.ostiary(`import ${full}`)
    const before = await contents(target)
    /** A text in the bucket of this one. */
    const beside = (text: string): string => {
      let n = 0
      while (bucketByHash(`${text}-${n}`) !== bucketByHash(text)) n += 1
      return `${text}-${n}`
    }
    const [sub, username] = [beside('ann-1'), beside('änn')]
    const { record: ann } = JSON.parse(named('ann-1'))
    const { record: consent } = JSON.parse(records().find((line) => line.includes('"kind":"consent"')) ?? '')
    const chosen = [
      { kind: 'user', record: { ...ann, sub, username, username_key: username } },
      { kind: 'consent', record: { ...consent, sub } },
    ]
    const file = await fileOf([header(), ...chosen.map((line) => JSON.stringify(line))])
    expect(await target.ostiary(`import ${file}`)).toMatchObject({ code: 0, err: '' })
    const after = await contents(target)
    expect(after.users).toMatchObject([{ sub: 'ann-1' }, { sub }, { sub: 'bob-1' }, { sub: 'left-1' }])
    expect(await target.users.findByUsername(username)).toMatchObject({ sub })
    const of_others = (rows: object[]) => rows.filter((row) => !('sub' in row && row.sub === sub))
    for (const kind of ['users', 'usernames', 'consents'] as const) {
      expect(of_others(after[kind])).toEqual(before[kind])
      for (const { bucket, username_key, sub: of_row } of after[kind])
        expect(bucket).toBe(bucketByHash(String(kind === 'usernames' ? username_key : of_row)))
    }
  })

  it('keys need the secret that sealed them, and are sealed with the new one', async () => {
    const target = await place()
    const refused = await target.ostiary(`import ${full}`, { OIDC_SECRET: OTHER_SECRET })
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /, line \d+: signing_key "[\w-]+": it cannot be decrypted: set OIDC_SECRET to the secret/,
    )
    expect(await target.query('select from oidc_clients')).toEqual([])
    const both = { OIDC_SECRET: OTHER_SECRET, OIDC_SECRET_PREVIOUS: SECRET }
    expect(await target.ostiary(`import ${full}`, both)).toMatchObject({ code: 0 })
    const alone = { OIDC_SECRET: OTHER_SECRET }
    expect(await target.ostiary('doctor --offline', alone)).toMatchObject({
      out: expect.stringMatching(keysOpen('default')),
    })
    expect(await appSecret(target, OTHER_SECRET)).toBe('AAAA')
    // The app is the same one, although its text is another.
    expect(await target.ostiary(`import ${full}`, both)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to do'),
    })
  })

  it('an app needs the secret that encrypted it, also without a key in the file', async () => {
    const target = await place()
    const without_keys = records().filter((line) => !line.includes('"kind":"signing_key"'))
    const refused = await target.ostiary(`import ${await fileOf([header(), ...without_keys])}`, {
      OIDC_SECRET: OTHER_SECRET,
    })
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /, line \d+: factor "app-[\w-]+": its secret cannot be decrypted: set OIDC_SECRET/,
    )
    expect(await target.query('select from oidc_users')).toEqual([])
  })

  it('another realm gets the records with --realm, with keys of its own name', async () => {
    const target = await place()
    expect(await target.ostiary(`import ${full} --realm acme`)).toMatchObject({ code: 0 })
    expect(await target.query('select distinct realm from oidc_clients')).toEqual([{ realm: 'acme' }])
    expect(await target.ostiary('doctor --offline')).toMatchObject({
      out: expect.stringMatching(keysOpen('acme')),
    })
    expect(await appSecret(target, SECRET, 'acme')).toBe('AAAA')
    const file = await fileOf([header({ realm: 'elsewhere' }), ...records()])
    expect(await target.ostiary(`import ${file}`)).toMatchObject({
      code: 3,
      err: expect.stringContaining('There is no realm elsewhere'),
    })
    // The keys of another realm do not open under this name.
    const renamed = await fileOf([header({ realm: 'acme' }), ...records()])
    expect((await (await place()).ostiary(`import ${renamed}`)).err).toContain('it cannot be decrypted')
  })

  it('has the records of one moment while others write', async () => {
    const busy = await place()
    await fill(busy)
    let written = false
    const during = async (text: string) => {
      // The clients are read; users and consents are not.
      if (written || !text.includes('"kind":"client"')) return
      written = true
      await busy.query(`
        insert into oidc_users select 'default', 'new-1', 'n', 'n', null, '{}', 0, 1, 1, null;
        insert into oidc_consents select 'default', 'new-1', 'app', 'r', '[]', 0, 1, 1, null`)
    }
    const { out } = await busy.ostiary('export', {}, during)
    expect(written).toBe(true)
    expect(out).not.toContain('new-1')
    expect((await busy.ostiary('export')).out.match(/"sub":"new-1"/g)).toHaveLength(2)
  })

  const factorOf = (name: string) => `${name}-${personTag('ann-1')}`

  /** The second key with the private part of the first one. */
  const mixedKey = (first: string, second: string) => ({
    ...JSON.parse(second).record,
    sealed_private_key: JSON.parse(first).record.sealed_private_key,
  })

  /** Each is refused as a whole; the message names the line. */
  const BAD: [what: string, lines: () => string[], message: RegExp][] = [
    ['an empty file', () => [], /line 1: it is not the header/],
    ['no header', () => records(), /line 1: it is not the header/],
    [
      'a newer format',
      () => [header({ ostiary_export: 2, more: true })],
      /line 1: the file is of a newer version/,
    ],
    ['a newer schema', () => [header({ schema: 999 })], /line 1: the file is of a newer version/],
    [
      'a record twice',
      () => [header(), named('app'), named('app')],
      /line 3: the record is in the file twice/,
    ],
    [
      'records in another order',
      () => [header(), named('ann-1'), named('worker')],
      /line 3: the records are not sorted/,
    ],
    ['a line that is not JSON', () => [header(), '{"kind":'], /line 2: it is not a line of JSON/],
    ['an empty line', () => [header(), '', named('app')], /line 2: it is not a line of JSON/],
    [
      'an unknown kind',
      () => [header(), '{"kind":"grant","record":{}}'],
      /line 2: a record of an unknown kind, "grant"/,
    ],
    [
      'a kind of the prototype',
      () => [header(), '{"kind":"constructor","record":{}}'],
      /line 2: a record of an unknown kind, "constructor"/,
    ],
    [
      'a prototype as a key',
      () => [header(), named('app').replace('"record":{', '"record":{"__proto__":{"trusted":true},')],
      /line 2: it is not a line of JSON/,
    ],
    [
      'a prototype in claims',
      () => [header(), named('ann-1').replace('"claims":{', '"claims":{"__proto__":{"a":1},')],
      /line 2: it is not a line of JSON/,
    ],
    [
      'an unknown field',
      () => [header(), changedRecord('app', { admin: true })],
      /line 2: client "app": .*admin/,
    ],
    [
      'the bucket of a user',
      () => [header(), changedRecord('bob-1', { bucket: bucketByHash('ann-1') })],
      /line 2: user "bob-1": .*bucket/,
    ],
    [
      'the bucket of a deleted user',
      () => [header(), changedRecord('left-1', { bucket: bucketByHash('ann-1') })],
      /line 2: deleted_user "left-1": .*bucket/,
    ],
    [
      'the bucket of a consent',
      () => [header(), changedRecord('https://id.example.com', { bucket: bucketByHash('bob-1') })],
      /line 2: consent "ann-1": .*bucket/,
    ],
    [
      'the bucket of a factor',
      () => [header(), changedRecord(factorOf('passkey'), { bucket: bucketByHash('bob-1') })],
      /line 2: factor "passkey-.*": .*bucket/,
    ],
    [
      'a factor whose id has the tag of another user',
      () => [header(), changedRecord(factorOf('passkey'), { sub: 'bob-1' })],
      /line 2: factor "passkey-.*": factor_id: it does not end with the tag of its sub/,
    ],
    [
      'a factor of an unknown kind',
      () => [header(), changedRecord(factorOf('passkey'), { kind: 'sms' })],
      /line 2: factor "passkey-.*": kind: /,
    ],
    [
      'a factor with a label that is too long',
      () => [header(), changedRecord(factorOf('passkey'), { label: 'a'.repeat(256) })],
      /line 2: factor "passkey-.*": label: /,
    ],
    [
      'a factor with a state that no database stores',
      () => [header(), changedRecord(factorOf('passkey'), { state: 'a\u0000' })],
      /line 2: factor "passkey-.*": state: it holds a NUL/,
    ],
    [
      'a factor with a text that no database stores',
      () => [header(), changedRecord(factorOf('passkey'), { data: { a: [{ b: '\ud800' }] } })],
      /line 2: factor "passkey-.*": data: it holds a NUL/,
    ],
    [
      'a factor with a name that no database stores',
      () => [header(), changedRecord(factorOf('passkey'), { data: { a: [{ '\u0000': 1 }] } })],
      /line 2: factor "passkey-.*": data: it holds a NUL/,
    ],
    [
      'a factor with data that is too deep',
      () => [header(), changedRecord(factorOf('passkey'), { data: { a: [[[[[[[[1]]]]]]]] } })],
      /line 2: factor "passkey-.*": data: .*more than 8 levels/,
    ],
    [
      'a factor with data that is too long',
      () => [header(), changedRecord(factorOf('passkey'), { data: { a: 'a'.repeat(16_384) } })],
      /line 2: factor "passkey-.*": data: more than 16384 characters/,
    ],
    [
      'an authenticator app in a file without secrets',
      () => [header({ with_secrets: false }), named(factorOf('app'))],
      /line 2: factor "app-.*": the header says that the file has no secrets/,
    ],
    [
      'a version of credentials that no database stores',
      () => [header(), changedRecord('bob-1', { credential_version: 2 ** 31 })],
      /line 2: user "bob-1": credential_version: /,
    ],
    [
      'a client of a metadata document',
      () => [header(), changedRecord('app', { origin: 'metadata_document' })],
      /line 2: client "app": origin: /,
    ],
    [
      'a private key of a client',
      () => [
        header(),
        changedRecord('keys', { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: X, y: Y, d: X }] } }),
      ],
      /line 2: client "keys": jwks: .*private part/,
    ],
    [
      'the document of another client',
      () => [header(), changedRecord(DOCUMENT_URL, { client_id: 'https://other.example.com/client.json' })],
      /line 2: client_document "https:.*": document: it is not a document of this client_id/,
    ],
    [
      'a document that is too long',
      () => [header(), changedRecord(DOCUMENT_URL, { document: `${DOCUMENT.document}${' '.repeat(5120)}` })],
      /line 2: client_document "https:.*": document: it is longer than 5120 bytes/,
    ],
    [
      'a document by another name than a URL',
      () => [header(), changedRecord(DOCUMENT_URL, { client_id: 'app' })],
      /line 2: client_document "app": client_id: it is no https URL/,
    ],
    [
      'a name with a control character',
      () => [header(), changedRecord('app', { client_name: 'a\u001b[2Jb' })],
      /line 2: client "app": client_name: a name holds a control/,
    ],
    [
      'a username with a control character',
      () => [header(), changedRecord('bob-1', { username: 'b\u0007ob', username_key: 'b\u0007ob' })],
      /line 2: user "bob-1": a username has 1 to 255 characters, and no control/,
    ],
    [
      'the key of another username',
      () => [header(), changedRecord('bob-1', { username_key: 'alice' })],
      /line 2: user "bob-1": username_key is not that of the username/,
    ],
    [
      'a dangerous redirect URI',
      () => [header(), changedRecord('app', { redirect_uris: ['javascript:alert(1)'] })],
      /line 2: client "app": redirect_uris\.0: .*never allowed/,
    ],
    [
      'a secret method without a secret',
      () => [header(), changedRecord('app', { require_pkce: false })],
      /line 2: client "app": require_pkce: false needs a client_secret/,
    ],
    [
      'a scope that the realm does not have',
      () => [header(), changedRecord('app', { default_scopes: ['nothing'] })],
      /line 2: client "app": default_scopes: /,
    ],
    [
      'a password hash that takes the memory of the server',
      () => [
        header(),
        changedRecord('bob-1', {
          password_hash:
            '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ4$ST+1u3LBaeApT2NSOOZx5yQ7UbAFzuSVQDEcFyJnriM',
        }),
      ],
      /line 2: user "bob-1": password_hash: argon2: m, the memory in KiB, is 4194304, and at most/,
    ],
    [
      'a hash in a file without secrets',
      () => [header({ with_secrets: false }), named('worker')],
      /line 2: client_secret_hash: the header says that the file has no secrets/,
    ],
    [
      'the public key of another key',
      () => {
        const [first = '', second = ''] = keysOf('RS256')
        const { public_jwk } = JSON.parse(second).record
        const mixed = { ...JSON.parse(first).record, public_jwk }
        return [header(), JSON.stringify({ kind: 'signing_key', record: mixed })]
      },
      /line 2: signing_key .*is not the thumbprint/,
    ],
    [
      'a key of another type than its algorithm',
      () => {
        const [first = ''] = keysOf('ES256')
        return [header(), first.replace('"alg":"ES256"', '"alg":"EdDSA"')]
      },
      /line 2: signing_key .*public_jwk/,
    ],
    [
      'a private key in public_jwk',
      () => {
        const [first = ''] = keysOf('ES256')
        return [header(), first.replace('"crv":"P-256"', '"crv":"P-256","d":"AAAA"')]
      },
      /line 2: signing_key .*public_jwk\.d: there is no such key/,
    ],
    [
      'a key of an algorithm that no server signs with',
      () => {
        const [first = ''] = keysOf('ES256')
        return [header(), first.replace('"alg":"ES256"', '"alg":"HS256"')]
      },
      /line 2: signing_key .*alg/,
    ],
    [
      'the private key of another key',
      () => {
        const [first = '', second = ''] = keysOf('RS256')
        return [header(), first, JSON.stringify({ kind: 'signing_key', record: mixedKey(first, second) })]
      },
      /line 3: signing_key .*cannot be decrypted/,
    ],
    [
      'a line of 10 MB',
      () => [
        header(),
        `{"kind":"client","record":{"client_name":"${'a'.repeat(10_000_000)}"}}`,
        named('app'),
      ],
      /line 2: it is longer than 1048576 bytes/,
    ],
    [
      'half of a character',
      () => [header(), named('app').replace('App', '\\udc00')],
      /line 2: client "app": client_name/,
    ],
  ]
  it.each(BAD)('refuses %s', async (_, content, message) => {
    const refused = await source.ostiary(`import ${await fileOf(content(), 'bad.jsonl')} --plan`)
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(message)
    // Nothing in the message controls the terminal.
    expect(refused.err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('refuses each time that no server can have written, and names its member', async () => {
    const kinds = new Set<string>()
    for (const line of records()) {
      const { kind, record } = JSON.parse(line)
      const isTime = ([name, value]: [string, unknown]) => /_at$/.test(name) || Number(value) > 1_600_000_000
      for (const [name] of Object.entries(record).filter(isTime)) {
        if (kinds.has(`${kind} ${name}`)) continue
        kinds.add(`${kind} ${name}`)
        const late = JSON.stringify({ kind, record: { ...record, [name]: Number.MAX_SAFE_INTEGER } })
        const refused = await source.ostiary(`import ${await fileOf([header(), late], 'late.jsonl')} --plan`)
        expect([name, refused.code]).toEqual([name, 1])
        expect(refused.err).toMatch(new RegExp(`line 2: ${kind} .*: ${name}: it is `))
      }
    }
    expect([...kinds].sort()).toEqual(TIMES)
  })

  it('refuses a file that is cut off, at a line and within one', async () => {
    const target = await place()
    const text = await readFile(full, 'utf8')
    const cut = join(cwd, 'cut.jsonl')
    for (const [content, message] of [
      [`${lines.slice(0, 4).join('\n')}\n`, /line 4: the file ends here, without its last line/],
      [text.slice(0, text.length - 40), /line \d+: (it is not a line of JSON|the file ends here)/],
      [`${[...lines.slice(0, 4), lines.at(-1)].join('\n')}\n`, /line 5: the file has 3 of \d+ records/],
      [`${[...lines, named('app')].join('\n')}\n`, /the file goes on after its last line/],
      ['', /line 1: the file is empty/],
      [
        Buffer.concat([Buffer.from(`${lines[0]}\n{"kind":"`), Buffer.from([0xff, 0x0a])]),
        /line 2: it is .*not UTF-8/,
      ],
    ] as const) {
      await writeFile(cut, content)
      const refused = await target.ostiary(`import ${cut}`)
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err).toMatch(message)
    }
    expect(await target.ostiary(`import ${join(cwd, 'none.jsonl')}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be read (ENOENT)'),
    })
    expect(await target.query('select from oidc_clients')).toEqual([])
  })

  it('a fault near the end of the file stores nothing either', async () => {
    const target = await place()
    const clients = Array.from({ length: 1_200 }, (_, i) => clientRecord({ client_id: `many-${1000 + i}` }))
    const all = clients.map((record) => JSON.stringify({ kind: 'client', record }))
    const file = await fileOf([header(), ...all, changedRecord('bob-1', { sub: 'many-1003' })])
    const shared = await target.ostiary(`import ${file}`)
    expect(shared.code).toBe(1)
    expect(shared.out).toContain('conflict: client many-1003: a user has this client_id as its sub')
    expect(await target.query('select from oidc_clients')).toEqual([])
    expect(await target.ostiary(`import ${await fileOf([header(), ...all])}`)).toMatchObject({ code: 0 })
    expect((await target.ostiary('export')).out.split('\n')).toHaveLength(1_203)
  })
})

it.each(['export', 'import realm.jsonl', 'move', 'move --yes'])(
  '%s: refuses a database that is divided among several PostgreSQL',
  async (line) => {
    cwd = await temporaryFolder()
    await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(CONFIG))
    const { ostiary } = await place()
    await ostiary('export --output realm.jsonl')
    const { code, err } = await ostiary(line, { OSTIARY_DATABASE__SHARDED: 'true' })
    expect([code, err]).toEqual([
      expect.any(Number),
      expect.stringContaining('works on one PostgreSQL, in one transaction'),
    ])
    expect(code).not.toBe(0)
  },
)
