/** `realms_at_run_time`: a server answers in realms that another process makes, changes and deletes. */

import { personTag, sha256 } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog, openStorage } from '../../src/index.ts'
import { composeProvider } from '../../src/server/compose-provider.ts'
import { realmsOf } from '../../src/storage/run-time-realms.ts'
import { proxy } from '../proxy.ts'
import { configure, faults } from '../support.ts'
import { FILE, now, ORIGIN, type RealmsPlace, type RunningRealms, realmsPlace } from './_place.ts'

const discovery = '/.well-known/openid-configuration'
const of = (realm: string, path = discovery) => `/realms/${realm}${path}`
const SECRET = 'the secret of a client of the tests'

describe('the key', () => {
  it('is off by default, and then nothing says that there is one', async () => {
    const { realms_at_run_time: _, ...without } = FILE
    for (const file of [without, { ...FILE, realms_at_run_time: false }])
      expect(await configure(file)).not.toHaveProperty('realms_at_run_time')
  })

  it('needs a path for each realm, and a database', async () => {
    const { routes: _, realms: __, ...single } = FILE.oidc
    expect(await faults({ ...FILE, oidc: single })).toEqual([
      expect.stringContaining('realms_at_run_time: it needs a path for each realm: set oidc.routes.realms'),
    ])
    expect(await faults({ ...FILE, storage: 'memory' })).toEqual([
      expect.stringContaining('realms_at_run_time: it needs a database'),
    ])
  })

  it('lets a configuration name no realm', async () => {
    const oidc = { ...FILE.oidc, realms: {} }
    expect(await faults({ ...FILE, oidc })).toEqual([])
    expect(await faults({ ...FILE, oidc, realms_at_run_time: false })).toEqual([
      expect.stringContaining('name at least one realm'),
    ])
  })
})

it('without the key, a realm of the database is none', async () => {
  const place = await realmsPlace()
  await place.make('acme')
  const { get } = await place.start({ ...FILE, realms_at_run_time: false })
  expect((await get(of('acme'))).status).toBe(404)
  expect((await get(of('main'))).status).toBe(200)
})

it('a realm answers with its settings over those of the configuration, and one of the configuration wins', async () => {
  const place = await realmsPlace()
  await place.make('acme', { oidc: { claims_supported: ['sub', 'color'] } })
  await place.make('main', { oidc: { claims_supported: ['sub', 'never'] } })
  const { get } = await place.start()
  const acme = await (await get(of('acme'))).json()
  expect(acme).toMatchObject({
    issuer: `${ORIGIN}/realms/acme`,
    claims_supported: ['sub', 'color'],
    id_token_signing_alg_values_supported: ['ES256'],
  })
  const main = await (await get(of('main'))).json()
  expect(main.claims_supported).not.toContain('never')
  expect((await (await get(of('acme', '/.well-known/jwks.json'))).json()).keys).toHaveLength(1)
})

const authorization = (realm: string) =>
  of(
    realm,
    `/oauth/authorize?${new URLSearchParams({
      client_id: 'app',
      redirect_uri: 'https://client.example.com/callback',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })}`,
  )

/** The sign-in page that a request to the realm leads to. */
async function signInPage({ get }: RunningRealms, realm: string) {
  const response = await get(authorization(realm))
  const path = (response.headers.get('location') ?? '').replace(ORIGIN, '')
  const page = await get(path)
  return { path, status: page.status, html: await page.text() }
}

it('its sign-in is that of its settings, and a change of them counts within ten seconds', async () => {
  const place = await realmsPlace()
  for (const id of ['acme', 'plain']) {
    await place.make(id, id === 'acme' ? { identity: { password: { enabled: false } } } : {})
    await place.stores.storage(id).clients.create(clientRecord())
  }
  const running = await place.start()
  expect((await signInPage(running, 'plain')).html).toContain('type="password"')
  const acme = await signInPage(running, 'acme')
  expect(acme.status).toBe(200)
  expect(acme.html).not.toContain('type="password"')
  await place.store.replace('acme', { settings: {}, version: 1 }, now())
  await eventually(async () => expect((await signInPage(running, 'acme')).html).toContain('type="password"'))
})

describe('a deleted realm', () => {
  it('is 404 with everything in it: documents, tokens, sign-ins that are under way, and its users', async () => {
    const place = await realmsPlace()
    await place.make('acme')
    const { clients } = place.stores.storage('acme')
    await clients.create(clientRecord())
    const running = await place.start()
    const { get } = running
    const post = (path: string, form: Record<string, string>) =>
      get(of('acme', path), { method: 'POST', body: new URLSearchParams(form) })
    await clients.create(
      clientRecord({
        client_id: 'api',
        client_secret_hash: sha256(SECRET),
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials'],
        redirect_uris: [],
      }),
    )
    const credentials = { client_id: 'api', client_secret: SECRET }
    const answer = await post('/oauth/token', { grant_type: 'client_credentials', ...credentials })
    expect(answer.status).toBe(200)
    const token = (await answer.json()).access_token
    const introspect = () => post('/oauth/introspect', { token, ...credentials })
    expect(await (await introspect()).json()).toMatchObject({ active: true })
    const { path } = await signInPage(running, 'acme')
    await place.store.remove('acme', { version: 1 }, now())
    await eventually(async () => expect((await introspect()).status).toBe(404))
    const form = { method: 'POST', body: new URLSearchParams({ username: 'ann', password: 'x' }) }
    const all: [string, RequestInit?][] = [
      [path],
      [path, form],
      [authorization('acme')],
      [of('acme')],
      [of('acme', '/.well-known/jwks.json')],
      [of('acme', '/oauth/userinfo'), { headers: { authorization: `Bearer ${token}` } }],
      [of('acme', '/oauth/token'), form],
      [of('acme', '/account')],
      [`${discovery}${of('acme', '')}`],
    ]
    for (const [at, init] of all) expect([at, (await get(at, init)).status]).toEqual([at, 404])
    expect((await get(of('main'))).status).toBe(200)
  })

  it('is purged after seven days, and its id is not used again', async () => {
    const place = await realmsPlace()
    const { store, stores } = place
    await place.make('acme')
    await stores.storage('acme').clients.create(clientRecord())
    await store.remove('acme', { version: 1 }, now() - 7 * 86_400 - 60)
    await place.start(FILE, { tick_every: 5 })
    await eventually(async () => expect(await store.deleted({ before: now(), limit: 9 })).toEqual([]))
    expect(await stores.storage('acme').clients.find('app')).toBeNull()
    expect(await store.create({ id: 'acme', settings: {} }, now())).toBe('exists')
  })
})

/** The provider of a server, the texts of its statements about realms, and what an administrator of this process calls. */
async function ownProvider({ url }: RealmsPlace) {
  const config = await configure(FILE, { DATABASE_URL: url })
  const log = createLog({ write: () => {} })
  const opened = await openStorage(config.storage, log)
  onTestFinished(() => opened.close())
  const { records } = opened
  if (records === undefined) throw new Error('There is no database')
  const statements: string[] = []
  const counted = {
    ...records,
    query<T>(text: string, params?: Parameters<typeof records.query>[1]) {
      statements.push(text)
      return records.query<T>(text, params)
    },
  }
  const storage = { ...opened, records: counted }
  const realms = await realmsOf(config, { storage, now, failed: () => {} })
  if (realms === null) throw new Error('There is no realmsOf')
  onTestFinished(() => realms.stop())
  const { provider } = composeProvider(config, {
    storage,
    realms,
    now,
    on_event: () => {},
    extensions: undefined,
    sign_up: undefined,
  })
  return { realms, statements, get: (path: string) => provider.fetch(new Request(ORIGIN + path)) }
}

it('a change of this process counts at once', async () => {
  const place = await realmsPlace()
  const { realms, get } = await ownProvider(place)
  const status = async () => (await get(of('acme'))).status
  expect(await status()).toBe(404)
  await place.make('acme')
  realms.changed('acme')
  expect(await status()).toBe(200)
  expect(await realms.ids()).toEqual(['main', 'acme'])
  await place.store.replace('acme', { settings: { oidc: { claims_supported: ['sub'] } }, version: 1 }, now())
  realms.changed('acme')
  expect((await (await get(of('acme'))).json()).claims_supported).toEqual(['sub'])
  await place.store.remove('acme', { version: 2 }, now())
  realms.changed('acme')
  expect(await status()).toBe(404)
  expect(await realms.ids()).toEqual(['main'])
})

it('names that strangers invent, and that of a deleted realm, cost no statement of their own', async () => {
  const place = await realmsPlace()
  await place.make('gone')
  await place.store.remove('gone', { version: 1 }, now())
  const { statements, get } = await ownProvider(place)
  for (let n = 0; n < 2000; n += 1)
    for (const id of [`none-${n}`, 'gone']) expect((await get(of(id))).status).toBe(404)
  // Of the look that each second may have: whether something has changed, and once what that is.
  expect(statements.filter((text) => !text.includes('max(change)'))).toEqual([
    expect.stringContaining('where change > $1'),
  ])
})

it('an administrator of the process is told what is wrong with a realm, and where the configuration names one', async () => {
  const { realms } = await ownProvider(await realmsPlace())
  expect(await realms.check('acme', {})).toEqual([])
  expect(await realms.check('Acme', { oidc: { tokens: { id_token: -1 } } })).toMatchObject([
    { path: 'id' },
    { path: 'oidc.tokens.id_token' },
  ])
  expect(realms.configured('main')).toMatchObject({ key: 'oidc.realms.main' })
  expect(realms.configured('acme')).toBeNull()
})

it('while the database is away, a realm is 503: it is neither absent nor with other settings', async () => {
  const place = await realmsPlace()
  await place.make('acme', { oidc: { claims_supported: ['sub'] } })
  const database = await proxy(place.url)
  const { get } = await place.start(FILE, { env: { DATABASE_URL: database.url } })
  expect((await get(of('acme'))).status).toBe(200)
  await database.cut()
  await eventually(async () => expect((await get(of('acme'))).status).toBe(503))
  expect((await get(of('none'))).status).toBe(503)
  await database.restore()
  await eventually(async () => expect((await get(of('none'))).status).toBe(404))
  expect((await (await get(of('acme'))).json()).claims_supported).toEqual(['sub'])
})

it('work that is due in a realm is done, also where this process has never answered in it', async () => {
  const place = await realmsPlace()
  await place.make('acme')
  const { sessions } = place.stores.storage('acme')
  await sessions.create({
    sid: `sid${personTag('ann')}`,
    session_hash: `hash${personTag('ann')}`,
    sub: 'ann',
    auth_time: 1,
    amr: ['pwd'],
    acr: null,
    created_at: 1,
    raised_at: null,
    expires_at: 2,
    user_agent: null,
    last_used_at: null,
    client_ids: [],
  })
  const count = async () => (await place.executor.query('select 1 from oidc_sessions')).length
  expect(await count()).toBe(1)
  const { lines } = await place.start(FILE, { tick_every: 5 })
  await eventually(async () => expect(await count()).toBe(0))
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

it('a realm whose settings became wrong is unavailable, and the others go on', async () => {
  const place = await realmsPlace()
  await place.make('acme', { oidc: { tokens: { access_token: -1 } } })
  await place.make('umbra', { identity: { terms: {} } })
  const { get, lines } = await place.start()
  expect((await get(of('acme'))).status).toBe(503)
  expect((await get(of('umbra'))).status).toBe(503)
  expect((await get(of('main'))).status).toBe(200)
  expect(lines.join()).toContain('access_token')
  expect(lines.join()).toContain('realms.umbra.identity.terms')
})
