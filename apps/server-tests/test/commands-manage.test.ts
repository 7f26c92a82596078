/** Commands that find, change and delete clients and users, on a PostgreSQL; they run in this process. */

import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { RealmStorage } from '@ostiary/core'
import type { User } from '@ostiary/identity'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { builtMain } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../../packages/host/src/cli/commands/index.ts'
import { database, idOf, makeKey, START } from './commands.ts'

vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

const NOW = Math.floor(Date.now() / 1000)
const LATER = NOW + 86_400
const CREATE_MEMO = 'client create --id memo --name Memo --redirect-uri https://n.example.com/cb'

const documentOf = (client_id: string) => ({
  client_id,
  document: `{"client_id":"${client_id}"}`,
  etag: null,
  last_modified: null,
  fetched_at: NOW,
  fresh_until: LATER,
  changed_at: NOW,
  expires_at: LATER,
})

/** Ann uses memo: a session, a grant, and a consent for two resources. */
async function addAccess({ sessions, grants, consents }: RealmStorage): Promise<void> {
  const login = { auth_time: NOW, amr: ['pwd'], acr: '1', created_at: NOW, expires_at: LATER }
  await sessions.create({
    ...login,
    sid: idOf('s-1', 'kim-1'),
    session_hash: idOf('hash', 'kim-1'),
    sub: 'kim-1',
    client_ids: ['memo'],
    user_agent: null,
    last_used_at: null,
    raised_at: null,
  })
  const ids = { grant_id: idOf('g-1', 'kim-1'), sid: idOf('s-1', 'kim-1') }
  const grant = { ...ids, client_id: 'memo', sub: 'kim-1', offline: true, scopes: [] }
  const code = {
    code_hash: idOf('code', 'kim-1'),
    grant_id: ids.grant_id,
    redirect_uri: 'r',
    redirect_uri_sent: true,
    code_challenge: 'c',
    nonce: null,
    dpop_jkt: null,
    expires_at: LATER,
    redeemed_at: null,
  }
  await grants.create(
    { ...grant, ...login, resource: null, client_auth: null, jkt: null, revoked_at: null },
    code,
  )
  const approved = ['a', 'b'].map((resource) => ({ resource, scopes: ['openid'] }))
  await consents.merge({ sub: 'kim-1', client_id: 'memo', approved }, NOW)
}

describe('client', () => {
  it.concurrent('update: fields, lists, defaults, and a secret', async ({ onTestFinished }) => {
    const { quick, json, storage } = await database(onTestFinished)
    await quick(CREATE_MEMO)
    const added = await quick('client update memo --add-redirect-uri https://n.example.com/2 --trusted true')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toMatch(
      /^redirect_uris +https:\/\/n\.example\.com\/cb https:\/\/n\.example\.com\/2$/m,
    )
    expect(added.stdout).toMatch(/\nChanged: redirect_uris, trusted\n$/)
    expect((await quick('client update memo --trusted true')).stdout).toMatch(/\nNothing changed\n$/)

    const line =
      '--remove-redirect-uri https://n.example.com/cb --trusted false --consent-required false --grant authorization_code --grant refresh_token --optional-scope openid --access-token-lifetime 300 --logo-uri https://n.example.com/logo.png --name Merkzettel'
    const updated = await json(`client update memo ${line}`, quick)
    const wanted = {
      client_name: 'Merkzettel',
      redirect_uris: ['https://n.example.com/2'],
      trusted: false,
      consent_required: false,
      optional_scopes: ['openid'],
      access_token_lifetime: 300,
      logo_uri: 'https://n.example.com/logo.png',
    }
    expect(updated).toMatchObject({ ...wanted, changed: expect.arrayContaining(Object.keys(wanted)) })
    expect(await storage.clients.find('memo')).toMatchObject(wanted)
    const unset = '--unset name --unset optional-scope --unset access-token-lifetime --unset logo-uri'
    expect(await json(`client update memo ${unset}`, quick)).toMatchObject({
      client_name: 'memo',
      optional_scopes: null,
      access_token_lifetime: null,
      logo_uri: null,
    })

    const { client_secret, changed } = await json('client update memo --auth-method client_secret', quick)
    expect(client_secret).toMatch(/^\S{43}$/)
    expect(changed).toContain('client_secret')
    expect(await quick('client update memo --require-pkce false')).toMatchObject({ code: 0 })
    expect((await storage.clients.find('memo'))?.require_pkce).toBe(false)
  })

  it.concurrent('--no-pkce and --require-pkce false: both, for create and for update', async ({
    onTestFinished,
  }) => {
    const { quick, storage } = await database(onTestFinished)
    const required = async (id: string) => (await storage.clients.find(id))?.require_pkce
    const create = 'client create --confidential --redirect-uri https://n.example.com/cb'
    for (const [id, option] of [
      ['flag', '--no-pkce'],
      ['value', '--require-pkce false'],
    ] as const) {
      expect(await quick(`${create} --id ${id} ${option}`)).toMatchObject({ code: 0 })
      expect(await required(id)).toBe(false)
      expect(await quick(`client update ${id} --require-pkce true`)).toMatchObject({ code: 0 })
      expect(await required(id)).toBe(null)
      expect(await quick(`client update ${id} ${option}`)).toMatchObject({ code: 0 })
      expect(await required(id)).toBe(false)
    }
    for (const line of [`${create} --id both`, 'client update flag'])
      expect(await quick(`${line} --no-pkce --require-pkce true`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('error: give --no-pkce or --require-pkce true, not both'),
      })
  })

  it.concurrent('create: a client with a secret and redirect URIs, whose library may not send PKCE', async ({
    onTestFinished,
  }) => {
    const { quick } = await database(onTestFinished)
    const note = 'If its library cannot send PKCE (code_challenge): client update web --require-pkce false.'
    const create = 'client create --confidential --redirect-uri https://n.example.com/cb'
    expect((await quick(`${create} --id web`)).stderr).toContain(note)
    const others = [
      `${create} --id free --no-pkce`,
      'client create --id worker --confidential --grant client_credentials',
      'client create --id app --redirect-uri https://n.example.com/cb',
    ]
    for (const line of others) expect((await quick(line)).stderr).not.toContain('PKCE')
  })

  it.concurrent('update: what is refused', async ({ onTestFinished }) => {
    const { quick, storage } = await database(onTestFinished)
    await quick(CREATE_MEMO)
    const before = await storage.clients.find('memo')
    const refused: [line: string, code: number, text: string][] = [
      ['client update none --trusted true', 3, 'ostiary: There is no client "none"\n'],
      ['client update memo', 2, 'error: name a field to change'],
      ['client update memo --unset name --name x', 2, 'error: give --name or --unset name, not both'],
      [
        'client update memo --redirect-uri https://a/ --add-redirect-uri https://b/',
        2,
        'error: give --redirect-uri, or',
      ],
      [
        'client update memo --access-token-lifetime 0',
        2,
        'error: --access-token-lifetime: give a number of seconds',
      ],
      ['client update memo --remove-redirect-uri https://a/', 1, 'memo does not have "https://a/"'],
      ['client update memo --redirect-uri javascript:alert(1)', 1, 'uses the scheme javascript'],
      ['client update memo --require-pkce false', 1, 'require_pkce: false needs a client_secret'],
      [
        'client update backend --trusted true',
        1,
        'backend is in the configuration, clients.41: change it there',
      ],
    ]
    for (const [line, code, text] of refused)
      expect(await quick(line), line).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringContaining(text),
      })
    expect(await storage.clients.find('memo')).toEqual(before)
  })

  it.concurrent('create and update: keys instead of a secret', async ({ onTestFinished }) => {
    const { quick, storage } = await database(onTestFinished)
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-keys-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const put = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'main' }
    const one = await put('one.json', JSON.stringify(jwk))
    const set = await put('set.json', JSON.stringify({ keys: [jwk] }))
    const secret = await put('private.json', JSON.stringify(privateKey.export({ format: 'jwk' })))
    const broken = await put('broken.json', '{\n "keys": [}')
    const config = { ...START.config(3000), oidc: { clients: { private_key_jwt: true } } }
    const env = { OSTIARY_CONFIG: await put('config.json', JSON.stringify(config)) }
    const create = 'client create --id keyed --grant client_credentials'

    expect((await quick(`${create} --jwks-file ${one}`)).stderr).toContain('set oidc.clients.private_key_jwt')
    const refused: [line: string, code: number, text: string][] = [
      [`${create} --jwks-file ${secret}`, 1, 'keys[0] has a private part; give only the public part'],
      [`${create} --jwks-file ${broken}`, 1, 'broken.json, line 2, column 11: this is not JSON'],
      [`${create} --jwks-file ${folder}/none.json`, 1, 'none.json cannot be read (ENOENT)'],
      [`${create} --jwks-file ${one} --jwks-uri https://k.example.com/`, 2, 'give --jwks-uri or --jwks-file'],
      [
        `${create} --jwks-file ${one} --confidential`,
        1,
        'has the token_endpoint_auth_method private_key_jwt',
      ],
      [`${create} --jwks-uri http://k.example.com/`, 1, 'jwks_uri: it is not https'],
      [`${create} --auth-method private_key_jwt`, 1, 'jwks: it is missing'],
    ]
    for (const [line, code, text] of refused)
      expect(await quick(line, { env }), line).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringContaining(text),
      })

    const made = await quick(`${create} --jwks-file ${one} --auth-signing-alg EdDSA`, { env })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^jwks +OKP Ed25519 main$/m)
    expect(await storage.clients.find('keyed')).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'EdDSA',
      client_secret_hash: null,
      jwks: { keys: [jwk] },
    })
    const update = 'client update keyed'
    expect((await quick(`${update} --jwks-file ${set}`, { env })).stdout).toMatch(/\nNothing changed\n$/)
    const moved = await quick(`${update} --jwks-uri https://k.example.com/`, { env })
    expect(moved.stdout).toMatch(/^jwks_uri +https:\/\/k\.example\.com\/$/m)
    expect(moved.stdout).toMatch(/\nChanged: jwks, jwks_uri\n$/)
    expect((await quick('client show keyed', { env })).stdout).toMatch(
      /^jwks_uri +https:\/\/k\.example\.com\/$/m,
    )
    expect((await quick(`${update} --auth-method client_secret`, { env })).stdout).toMatch(
      /^client_secret +\S{43}$/m,
    )
    expect(await storage.clients.find('keyed')).toMatchObject({ jwks: null, jwks_uri: null })
    expect((await quick(`${update} --jwks-file ${set}`, { env })).code).toBe(0)
    expect(await storage.clients.find('keyed')).toMatchObject({
      client_secret_hash: null,
      jwks: { keys: [jwk] },
    })
  })

  it.concurrent('delete: asks for the client_id, ends everything, and keeps the id', async ({
    onTestFinished,
  }) => {
    const { quick, json, storage } = await database(onTestFinished)
    await quick(CREATE_MEMO)
    await addAccess(storage)
    for (const typed of ['', 'y', 'Memo'])
      expect(await quick('client delete memo', { typed })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /will be deleted:\n[\s\S]*Type memo to continue: ostiary: Nothing was done\n$/,
        ),
      })
    expect(await storage.grants.list('kim-1', NOW)).toHaveLength(1)
    const deleted = await quick('client delete memo', { typed: 'memo' })
    expect(deleted).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^memo is deleted\nEnded: grants 1, consents 2\nThe client_id is free again at \S+Z\n$/,
      ),
    })
    expect(await storage.grants.list('kim-1', NOW)).toEqual([])
    expect(await storage.consents.list('kim-1')).toEqual([])
    expect(await quick('client show memo')).toMatchObject({ code: 3 })
    expect(await json('client list', quick)).toEqual({ clients: [], next: null })
    expect(await quick(CREATE_MEMO)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a client with this id was deleted'),
    })
    expect(await json('client delete memo --yes', quick)).toMatchObject({ changed: false, ended_grants: 0 })
    expect(await quick('client delete none --yes')).toMatchObject({ code: 3 })
    expect(await quick('client delete backend --yes')).toMatchObject({
      code: 1,
      stderr: 'ostiary: backend is in the configuration, clients.41: remove it there and reload the server\n',
    })
  })
})

describe('user', () => {
  it.concurrent('show and update: username, claims, attributes and groups', async ({ onTestFinished }) => {
    const { quick, json, users, storage } = await database(onTestFinished)
    await quick(
      'user create kim --sub kim-1 --no-password --claim email=a@example.com --claim address.locality=Paris',
    )
    await addAccess(storage)
    const shown = await quick('user show KIM')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(
      /^username +kim\nsub +kim-1\nstate +enabled\npassword +none\nemail +a@example\.com\n/,
    )
    expect(shown.stdout).toMatch(/\nHas: sessions 1, grants 1, consents 2\n$/)
    expect(shown.stdout).toContain(
      '\nSigns in with: password no, passkeys 0, app no, recovery codes left 0, second step off\n',
    )
    expect(await json('user show --sub kim-1', quick)).toMatchObject({
      username: 'kim',
      has_password: false,
      grants: 1,
      configured: null,
    })

    const line =
      '--username Kima --claim address.country=FR --claim email_verified=true --group a --attribute level=3'
    expect(await json(`user update kim ${line}`, quick)).toMatchObject({
      username: 'Kima',
      claims: { email: 'a@example.com', email_verified: true, address: { locality: 'Paris', country: 'FR' } },
      attributes: { level: 3 },
      groups: ['a'],
      changed: ['username', 'claims', 'attributes', 'groups'],
    })
    const more =
      '--remove-claim address.locality --remove-claim email --add-group b --remove-group a --attribute x=1 --remove-attribute level'
    expect(await json(`user update kima ${more}`, quick)).toMatchObject({
      claims: { email_verified: true, address: { country: 'FR' } },
      attributes: { x: 1 },
      groups: ['b'],
    })
    expect((await quick('user update kima --add-group b')).stdout).toMatch(/\nNothing changed\n$/)
    const kim = (await users.find('kim-1')) as User
    expect(kim).toMatchObject({ username_key: 'kima', groups: ['b'] })
    const terms = { version: '2026-11-01', accepted_at: 1_700_000_000 }
    await users.update({ ...kim, terms, updated_at: kim.updated_at + 1 }, kim.updated_at)
    expect((await quick('user show kima')).stdout).toMatch(
      /\naccepted terms +2026-11-01 at 2023-11-14T22:13:20/,
    )
    expect(await json('user show kima', quick)).toMatchObject({ terms })
    // What an operator changes leaves it.
    expect(await json('user update kima --claim name=Kim', quick)).toMatchObject({
      terms,
      changed: ['claims'],
    })
    expect(await storage.sessions.list('kim-1')).toHaveLength(1)

    await quick('user create bob --no-password')
    const refused: [line: string, code: number, text: string][] = [
      ['user update kima --username BOB', 1, 'the username "BOB" is taken'],
      ['user update kima', 2, 'error: name something to change'],
      [
        'user update kima --group a --add-group b',
        2,
        'error: give --group, or --add-group and --remove-group',
      ],
      ['user update kima --claim role=admin', 2, 'with the name of a standard claim'],
      ['user update nobody --add-group a', 3, 'There is no user "nobody"'],
      ['user show nobody', 3, 'There is no user "nobody"'],
    ]
    for (const [refused_line, code, text] of refused)
      expect(await quick(refused_line), refused_line).toMatchObject({
        code,
        stderr: expect.stringContaining(text),
      })
  })

  it.concurrent('delete: asks for the username, and leaves only the sub', async ({ onTestFinished }) => {
    const { quick, json, users, storage, executor } = await database(onTestFinished)
    await quick('user create kim --sub kim-1 --no-password --claim email=kim@example.com --group staff')
    await addAccess(storage)
    const asked = await quick('user delete kim', { typed: 'yes' })
    expect(asked).toMatchObject({ code: 1, stdout: '' })
    expect(asked.stderr).toBe(
      'The user kim (sub kim-1) will be deleted:\n' +
        '  sessions that end: 1, grants that are revoked: 1, consents that are deleted: 2\n' +
        'This cannot be undone. Type kim to continue: ostiary: Nothing was done\n',
    )
    expect(await users.find('kim-1')).toMatchObject({ disabled_at: null })
    expect(await quick('user delete kim', { typed: 'kim' })).toMatchObject({
      code: 0,
      stdout: 'kim is deleted\nEnded: sessions 1, grants 1, consents 2\n',
    })
    expect([await users.find('kim-1'), await users.findByUsername('kim')]).toEqual([null, null])
    expect(await storage.sessions.list('kim-1')).toEqual([])
    expect(await storage.grants.list('kim-1', NOW)).toEqual([])
    expect(await storage.consents.list('kim-1')).toEqual([])
    const [row] = await executor.query<Record<string, unknown>>(
      `select * from oidc_users where sub = 'kim-1'`,
    )
    expect(JSON.stringify({ ...row, username_key: null, sub: null })).not.toMatch(/kim|staff|example/)

    expect(await quick('user create eve --sub kim-1 --no-password')).toMatchObject({
      code: 1,
      stderr: 'ostiary: user "eve": the username or the sub is taken\n',
    })
    const again = await json('user create kim --no-password', quick)
    expect(again.sub).not.toBe('kim-1')
    expect(await json('user delete kim --yes', quick)).toEqual({
      sub: again.sub,
      username: 'kim',
      ended_sessions: 0,
      ended_grants: 0,
      deleted_consents: 0,
    })
    expect(await quick('user delete kim --yes')).toMatchObject({ code: 3 })
  })

  it.concurrent('a user of the configuration is changed and deleted there', async ({ onTestFinished }) => {
    const { quick } = await database(onTestFinished)
    const env = { OSTIARY_USERS: '[{"username":"Kim","sub":"kim-1"},{"username":"bob"}]' }
    await quick('user create kim --sub kim-1 --no-password')
    await quick('user create bob --no-password')
    expect(await quick('user update kim --add-group a', { env })).toMatchObject({
      code: 1,
      stderr: 'ostiary: kim is in the configuration, users.0: change it there and reload the server\n',
    })
    expect(await quick('user delete bob --yes', { env })).toMatchObject({
      code: 1,
      stderr: 'ostiary: bob is in the configuration, users.1: remove the entry there and reload the server\n',
    })
    expect((await quick('user show bob', { env })).stdout).toContain('In the configuration: users.1\n')
  })
})

describe('client documents', () => {
  const [one, two, three] = ['a', 'b', 'c'].map((name) =>
    documentOf(`https://${name}.example.com/client.json`),
  )
  if (!one || !two || !three) throw new Error('unreachable')

  it.concurrent('list and forget', async ({ onTestFinished }) => {
    const { ostiary, quick, json, storage } = await database(onTestFinished)
    const none = await quick('client documents list')
    expect(none).toMatchObject({ code: 0, stderr: '' })
    for (const record of [two, three, one]) await storage.client_documents.put(record)
    expect(await json('client documents list')).toEqual({ client_documents: [one, two, three], next: null })
    const page = await json(
      'client documents list --limit 1 --after https://a.example.com/client.json',
      quick,
    )
    expect(page).toEqual({ client_documents: [two], next: two.client_id })
    const found = await json('client documents list --search C.example', quick)
    expect(found.client_documents).toEqual([three])
    const table = await quick('client documents list')
    expect(table.stdout).toMatch(/^CLIENT_ID +FETCHED +CHANGED +STORED UNTIL\nhttps:\/\/a\.example/)

    const line = `client documents forget ${two.client_id}`
    expect(await quick(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('give --yes') })
    expect(await quick(line, { typed: 'n' })).toMatchObject({ code: 1 })
    expect(await storage.client_documents.find(two.client_id)).toEqual(two)
    const done = await ostiary(`${line} --yes`)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('is forgotten: every user is asked for consent again\n')
    expect(await quick(`${line} --yes`)).toMatchObject({
      code: 3,
      stderr: `ostiary: There is no stored document of the client "${two.client_id}"\n`,
    })
    expect(await json(`client documents forget ${one.client_id} --yes`, quick)).toEqual({
      client_id: one.client_id,
      forgotten: true,
    })
    expect(await storage.client_documents.list({ limit: 9 })).toEqual([three])

    const help = await quick('client documents --help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/client documents list .*\n +client documents forget /)
    for (const wrong of ['client documents', 'client documents delete'])
      expect(await quick(wrong)).toMatchObject({ code: 2 })
  })
})

describe('search', () => {
  it.concurrent('finds clients by id and name, users by sub, username, name and address, in any case', async ({
    onTestFinished,
  }) => {
    const { quick, json } = await database(onTestFinished)
    for (const [id, name] of [
      ['notes', 'Notizen'],
      ['n-2', 'My NOTES'],
      ['mail', 'Mail'],
      ['not', 'x%_'],
    ])
      await quick(
        `client create --id ${id} --redirect-uri https://a.example/ --name=${name?.replace(' ', '-')}`,
      )
    const clients = async (line: string) =>
      (await json(`client list ${line}`, quick)).clients.map(
        (client: { client_id: string }) => client.client_id,
      )
    expect(await clients('--search NoTe')).toEqual(['n-2', 'notes'])
    expect(await clients('--search %')).toEqual(['not'])
    expect(await clients('--search nothing')).toEqual([])
    expect(await json('client list --search no --limit 1', quick)).toMatchObject({
      clients: [{ client_id: 'n-2' }],
      next: 'n-2',
    })
    expect(await clients('--search no --limit 1 --after n-2')).toEqual(['not'])

    await quick('user create ann --sub a-1 --no-password --claim email=Ann@Example.com')
    await quick('user create bob --sub b-2 --no-password --claim name=Hannes')
    await quick('user create eve --sub e-3 --no-password')
    const users = async (line: string) =>
      (await json(`user list ${line}`, quick)).users.map(({ username }: { username: string }) => username)
    expect(await users('--search ANN')).toEqual(['ann', 'bob'])
    expect(await users('--search @example.COM')).toEqual(['ann'])
    expect(await users('--search e-3')).toEqual(['eve'])
  })
})

const DOCUMENT = 'https://app.example.com/client.json'

/** Of each command that asks: a line that is wrong, what it is told without --yes and without a terminal, and a right line. */
const ASKING: Record<string, readonly [wrong: string, told: string, right: string | null]> = {
  // Its right line needs an embedded database: move.long.test.ts.
  move: ['move', 'DATABASE_URL: set this variable', null],
  // Its right line needs a row: audit-commands.test.ts of host.
  'audit undo': ['audit undo none', 'ostiary: There is no row "none" in the audit', null],
  'database restored': [
    'database restored',
    'error: choose one: --events FILES',
    'database restored --to 2026-01-01T00:00:00Z --without-events',
  ],
  'keys revoke': ['keys revoke none', 'ostiary: There is no key "none"', 'keys revoke -- KID'],
  'client revoke': ['client revoke none', 'ostiary: There is no client "none"', 'client revoke worker'],
  'client rotate-secret': [
    'client rotate-secret none',
    'ostiary: There is no client "none"',
    'client rotate-secret worker',
  ],
  'client delete': ['client delete none', 'ostiary: There is no client "none"', 'client delete worker'],
  'client documents forget': [
    'client documents forget https://app.example.com/none.json',
    'ostiary: There is no stored document of the client',
    `client documents forget ${DOCUMENT}`,
  ],
  'user factors remove': [
    'user factors remove ann',
    'error: give --id or --all',
    'user factors remove ann --all',
  ],
  'user links remove': [
    'user links remove ann --all',
    'ostiary: ann has no such link',
    'user links remove bob --all',
  ],
  // Its right line needs realms at run time: packages/host/test/remote/_realm-rows.ts.
  'realm delete': ['realm delete none', 'ostiary: Realms are made at run time where', null],
  'user delete': ['user delete none', 'ostiary: There is no user "none"', 'user delete bob'],
}

it.concurrent('what cannot be undone needs a terminal or --yes, after all that is wrong was told', async ({
  onTestFinished,
}) => {
  expect(Object.keys(ASKING).sort()).toEqual(
    COMMANDS.flatMap(({ name, options }) => (options?.yes ? [name] : [])).sort(),
  )
  const { quick, storage, users, factors, links } = await database(onTestFinished)
  await quick('client create --id worker --confidential --grant client_credentials')
  await quick('user create ann --sub ann-1')
  await quick('user create bob --sub bob-1')
  const [ann, bob] = [await users.find('ann-1'), await users.find('bob-1')]
  const version = (user: typeof ann) => ({ credential_version: user?.credential_version ?? 0, now: NOW })
  await factors.change({ sub: 'ann-1', add: [factorRecord('app', 'ann-1')] }, version(ann))
  await links.add(linkRecord('bob-1'), version(bob))
  await storage.client_documents.put(documentOf(DOCUMENT))
  await makeKey(storage)
  const [key] = await storage.keys.list()
  const before = await storage.clients.find('worker')
  for (const [name, [wrong, told, right]] of Object.entries(ASKING)) {
    const env = name === 'move' ? { DATABASE_URL: '' } : {}
    const refused = await quick(wrong, { env })
    expect(refused.stderr, wrong).toContain(told)
    expect(refused.stderr, wrong).not.toContain('--yes')
    if (right === null) continue
    expect(await quick(right.replace('KID', key?.kid ?? '')), right).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: it asks first, and there is no terminal to ask on: give --yes\n',
    })
  }
  expect((await users.find('bob-1'))?.username).toBe('bob')
  for (const line of ['client revoke worker', 'client rotate-secret worker', `keys revoke -- ${key?.kid}`])
    for (const typed of ['', 'n', 'worker'])
      expect(await quick(line, { typed }), line).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/\nContinue\? \[y\/N\] ostiary: Nothing was done\n$/),
      })
  expect(await storage.clients.find('worker')).toEqual(before)
  expect(await storage.keys.list()).toEqual([key])
  expect(await quick('client rotate-secret worker', { typed: 'Y' })).toMatchObject({ code: 0 })
  expect(await quick('client revoke worker', { typed: 'yes' })).toMatchObject({ code: 0 })
  expect(await quick('client revoke worker', { typed: '' })).toMatchObject({
    stdout: 'worker was revoked already\n',
  })
})

/** Runs a command on a pseudo-terminal, which `script` of util-linux makes. Types the line when the question is there. */
async function onTerminal(line: string, { env, typed }: { env: Record<string, string>; typed: string }) {
  const cwd = await mkdtemp(join(tmpdir(), 'ostiary-terminal-'))
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(START.config(3000)))
  const child = spawn('script', ['-qec', `${process.execPath} ${builtMain()} ${line}`, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  })
  let output = ''
  let asked = false
  child.stdout.on('data', (bytes: Buffer) => {
    output += stripVTControlCharacters(bytes.toString())
    if (asked || !/ to continue: | \[y\/N\] /.test(output)) return
    asked = true
    child.stdin.write(typed)
  })
  const [code] = await once(child, 'close')
  await rm(cwd, { recursive: true, force: true })
  return { code, output }
}

it.concurrent('on a terminal, the question is answered with a line, and Ctrl-D is no', async ({
  onTestFinished,
}) => {
  const { env, quick, storage } = await database(onTestFinished)
  await quick('client create --id worker --confidential --grant client_credentials')
  const [no, end] = await Promise.all([
    onTerminal('client revoke worker', { env, typed: 'n\r' }),
    onTerminal('client delete worker', { env, typed: '\x04' }),
  ])
  for (const { code, output } of [no, end]) {
    expect(code).toBe(1)
    expect(output).toContain('Nothing was done')
  }
  expect(await storage.clients.find('worker')).toMatchObject({ revoked_at: null })
  const yes = await onTerminal('client delete worker', { env, typed: 'worker\r' })
  expect(yes.output).toContain('Type worker to continue: worker')
  expect(yes).toMatchObject({ code: 0, output: expect.stringContaining('worker is deleted') })
})

it.concurrent('a redirect URI over plain http to another machine is noted where it is written', async ({
  onTestFinished,
}) => {
  const { quick } = await database(onTestFinished)
  const NOTE =
    'codes go to n.example.com over plain http, where others can read them. Use https, except on this machine.\n'
  const create = (id: string, uri: string) => quick(`client create --id ${id} --redirect-uri ${uri}`)
  expect((await create('plain', 'http://n.example.com/cb')).stderr).toBe(NOTE)
  expect((await create('safe', 'https://n.example.com/cb')).stderr).toBe('')
  expect((await create('local', 'http://localhost:8080/cb')).stderr).toBe('')
  const update = (line: string) => quick(`client update ${line}`)
  expect((await update('safe --add-redirect-uri http://n.example.com/other')).stderr).toBe(NOTE)
  expect((await update('safe --name Safe')).stderr).toBe('')
})
