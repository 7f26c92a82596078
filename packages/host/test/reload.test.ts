/** A reload of the configuration: all of it takes effect, or nothing. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, createLog, readConfig, readReloadedConfig } from '../src/index.ts'
import { FILE, folder, inMemory, SECRET } from './support.ts'

const ENV = { OIDC_SECRET: SECRET }
const CALLBACK = 'http://localhost:8080/callback'
const BY_PATH = { app: FILE.app, oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } } }
const client = (client_id: string, fields: object = {}) => ({
  client_id,
  redirect_uris: [CALLBACK],
  ...fields,
})

/** An app with a configuration file that the test changes. */
async function runningApp(file: object = FILE) {
  const cwd = await folder()
  const write = (next: unknown) =>
    writeFile(join(cwd, 'ostiary.config.json'), typeof next === 'string' ? next : JSON.stringify(next))
  await write(file)
  let config = await readConfig(ENV, cwd)
  const storage = inMemory()
  const app = await createApp(config, { log: createLog({ write: () => {} }), storage })
  onTestFinished(() => app.stop())
  await app.start()
  return {
    storage,
    async reload(next: unknown) {
      await write(next)
      const reloaded = await readReloadedConfig(config, { env: ENV, cwd })
      const report = await app.reload(reloaded)
      config = reloaded
      return report
    },
    get: (path: string) => app.fetch(new Request(`${FILE.app.url}${path}`)),
  }
}

const query = (client_id: string) =>
  new URLSearchParams({
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
/** 302 for a client that the server knows, 400 for another one. */
const authorize = async ({ get }: Awaited<ReturnType<typeof runningApp>>, client_id: string, realm = '') =>
  (await get(`${realm}/oauth/authorize?${query(client_id)}`)).status

it('a client of the new file is known at once, and one that the file no longer names stays', async () => {
  const running = await runningApp()
  expect(await authorize(running, 'new')).toBe(400)
  const report = await running.reload({ ...FILE, clients: [client('new')] })
  expect(report.default?.clients).toEqual({ created: 1, updated: 0, unchanged: 0 })
  expect([await authorize(running, 'new'), await authorize(running, 'app')]).toEqual([302, 302])
})

it('a changed client, a new scope and a new theme take effect', async () => {
  const running = await runningApp()
  const name = 'Another name'
  await running.reload({
    ...FILE,
    clients: [client('app', { client_name: name })],
    oidc: { scopes: { 'notes.read': {} } },
    theme: { name },
  })
  const discovery = await (await running.get('/.well-known/openid-configuration')).json()
  expect(discovery.scopes_supported).toContain('notes.read')
  const login = await running.get(`/oauth/authorize?${query('app')}`)
  const { pathname, search } = new URL(login.headers.get('location') ?? '')
  const page = await (await running.get(pathname + search)).text()
  expect(page).toContain(name)
})

it('a new realm answers, and a realm that the file no longer has does not', async () => {
  const running = await runningApp(BY_PATH)
  const beta = { ...BY_PATH, oidc: { routes: { realms: 'path' }, realms: { default: {}, beta: {} } } }
  await running.reload({ ...beta, realms: { beta: { clients: [client('app')] } } })
  expect(await authorize(running, 'app', '/realms/beta')).toBe(302)
  expect((await running.get('/realms/beta/.well-known/jwks.json')).status).toBe(200)
  expect((await running.get('/realms/acme/.well-known/jwks.json')).status).toBe(404)
})

it.each([
  ['JSON with a fault', '{ "clients": [', /JSON/],
  ['a misspelled key', { ...FILE, cliens: [] }, /^cliens: there is no such key; did you mean clients\?$/],
  [
    'a client without a redirect URI, beside a new one',
    { ...FILE, clients: [client('new'), { client_id: 'faulty' }] },
    /^clients\.1\.redirect_uris/,
  ],
  [
    'another port',
    { ...FILE, port: 4001, clients: [client('new')] },
    /^port: a reload cannot change this key: restart the server, or undo the change$/,
  ],
  [
    'a port of its own for the admin API',
    { ...FILE, oidc: { acr: 'require' }, admin: { enabled: true, listen: { port: 4002 } } },
    /^admin\.listen: a reload cannot change this key/,
  ],
  ['another issuer', { ...FILE, app: { url: 'http://localhost:4001' } }, /^issuer: a reload cannot change/],
])('%s: the fault is reported, and the old configuration stays', async (_, file, fault) => {
  const running = await runningApp()
  await expect(running.reload(file)).rejects.toThrow(fault)
  expect([await authorize(running, 'app'), await authorize(running, 'new')]).toEqual([302, 400])
})

it('an entry of one realm that contradicts a stored record changes no realm', async () => {
  const running = await runningApp({
    ...BY_PATH,
    realms: { acme: { users: [{ username: 'ann', sub: 'ann-1' }] } },
  })
  const contradiction = {
    ...BY_PATH,
    clients: [client('new')],
    realms: { acme: { clients: [client('newer')], users: [{ username: 'ann', sub: 'ann-2' }] } },
  }
  await expect(running.reload(contradiction)).rejects.toThrow(
    /^realms\.acme\.users\.0: user "ann": already exists with the sub "ann-1"/,
  )
  expect(await running.storage.storage('default').clients.find('new')).toBeNull()
  expect(await running.storage.storage('acme').clients.find('newer')).toBeNull()
})

it('in try-out mode there is nothing to reload, and the fault says what to do', async () => {
  const cwd = await folder()
  const config = await readConfig({ DATA_DIR: cwd }, cwd)
  await expect(readReloadedConfig(config, { env: {}, cwd })).rejects.toThrow(
    'try-out mode has no configuration: write ostiary.config.json, and start the server again',
  )
})
