import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announce, createApp, createLog, readConfig } from '../src/index.ts'
import { FILE, folder, inMemory, SECRET } from './support.ts'

async function start(cwd: string, env: Record<string, string> = {}) {
  const config = await readConfig(env, cwd)
  const printed: string[] = []
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const app = await createApp(config, { log, storage: inMemory() })
  const synced = await app.start()
  await announce(config, { log, synced, print: (text) => printed.push(text) })
  await app.stop()
  return { config, app, text: printed.join(''), lines }
}

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('try-out mode, without file and DATABASE_URL', () => {
  it('has an issuer on localhost, a secret, a demo user and a demo client', async () => {
    const { config } = await start(await folder(), { PORT: '4001' })
    expect(config.issuer).toBe('http://localhost:4001')
    expect(config.secret.length).toBeGreaterThanOrEqual(32)
    const { clients = [], users = [] } = config.realms.default ?? {}
    expect(clients.map(({ metadata }) => metadata)).toEqual([
      expect.objectContaining({
        client_id: 'demo',
        client_name: 'Ostiary demo',
        consent_required: true,
        trusted: false,
        redirect_uris: ['http://localhost:4001/demo'],
        post_logout_redirect_uris: ['http://localhost:4001/demo'],
      }),
    ])
    expect(users[0]?.user).toMatchObject({ username: 'demo', email: 'demo@example.com' })
  })

  it('stores the secret and the password in a file that only its owner can read', async () => {
    const cwd = await folder()
    const { config } = await start(cwd)
    expect(await mode(join(cwd, '.ostiary'))).toBe('700')
    expect(await mode(join(cwd, '.ostiary/try-out.json'))).toBe('600')
    const kept = JSON.parse(await readFile(join(cwd, '.ostiary/try-out.json'), 'utf8'))
    const { password } = config.try_out ?? {}
    expect(kept).toEqual({ secret: config.secret, password, password_shown: true })
  })

  it('prints the URL to open and, at the first start only, the password', async () => {
    const cwd = await folder()
    const first = await start(cwd)
    const password = first.config.try_out?.password ?? ''
    expect(password).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){3}$/)
    for (const part of [
      'http://localhost:3000/demo',
      'demo',
      password,
      'embedded database',
      'ostiary.config.json',
      'OIDC_SECRET',
    ])
      expect(first.text).toContain(part)
    const second = await start(cwd)
    expect(second.config.try_out?.password).toBe(password)
    expect(second.config.secret).toBe(first.config.secret)
    expect(second.text).not.toContain(password)
    expect(second.text).toContain('see .ostiary/try-out.json')
  })

  it('reading the configuration stores nothing, and opening the storage has stored the secret', async () => {
    const cwd = await folder()
    await readConfig({}, cwd)
    const config = await readConfig({}, cwd)
    expect(config.try_out?.stored).toBe(false)
    const read = await readConfig({ OSTIARY_STORAGE: 'memory' }, cwd)
    const app = await createApp(read, { log: createLog({ write: () => {} }) })
    await app.stop()
    const next = await readConfig({}, cwd)
    expect([next.secret, next.try_out?.stored]).toEqual([read.secret, true])
  })

  it('after a start that failed before it listened, the next one uses its secret and still prints the password', async () => {
    const cwd = await folder()
    const failed = await readConfig({}, cwd)
    await failed.try_out?.keep()
    const next = await start(cwd)
    expect(next.config.secret).toBe(failed.secret)
    expect(next.text).toContain(failed.try_out?.password)
    expect((await start(cwd)).text).not.toContain(failed.try_out?.password)
  })

  it('two first starts in one folder do not both store a secret', async () => {
    const cwd = await folder()
    const [one, other] = [await readConfig({}, cwd), await readConfig({}, cwd)]
    await one.try_out?.keep()
    await expect(other.try_out?.keep()).rejects.toThrow(
      /^DATA_DIR: .*try-out\.json cannot be written \(EEXIST\)$/,
    )
    expect((await readConfig({}, cwd)).secret).toBe(one.secret)
    expect(await readdir(join(cwd, '.ostiary'))).toEqual(['try-out.json'])
  })

  it('a database whose secret is gone is an error that says what to do, and it works', async () => {
    const cwd = await folder()
    const database = join(cwd, '.ostiary/try-out/pglite')
    await mkdir(database, { recursive: true })
    await writeFile(join(database, 'PG_VERSION'), '18\n')
    await expect(readConfig({}, cwd)).rejects.toThrow(
      `DATA_DIR: ${join(cwd, '.ostiary/try-out.json')} is missing, and with it the secret that encrypted the signing keys of ` +
        `the database in ${database}: put the file back, or delete the folder ${dirname(database)} to start again without its records`,
    )
    expect((await readConfig({ OIDC_SECRET: SECRET }, cwd)).secret).toBe(SECRET)
    expect((await readConfig({ OSTIARY_STORAGE: 'memory' }, cwd)).try_out?.stored).toBe(false)
    await rm(dirname(database), { recursive: true })
    expect((await readConfig({}, cwd)).try_out?.stored).toBe(false)
  })

  it('DATA_DIR and OIDC_SECRET are used', async () => {
    const cwd = await folder()
    const OIDC_SECRET = 'a secret of one’s own, long enough'
    const { config } = await start(cwd, { DATA_DIR: 'state/here', OIDC_SECRET })
    expect(config.secret).toBe(OIDC_SECRET)
    expect(await mode(join(cwd, 'state/here/try-out.json'))).toBe('600')
  })

  it('OIDC_ISSUER sets the origin of the demo', async () => {
    const { config } = await start(await folder(), { OIDC_ISSUER: 'https://demo.example.com/' })
    expect(config.issuer).toBe('https://demo.example.com')
    expect(config.realms.default?.clients[0]?.metadata.redirect_uris).toEqual([
      'https://demo.example.com/demo',
    ])
    await expect(start(await folder(), { OIDC_ISSUER: 'http://example.com' })).rejects.toThrow(
      /^OIDC_ISSUER: /,
    )
  })

  it('a damaged file in DATA_DIR is an error that says what to do', async () => {
    const cwd = await folder()
    await mkdir(join(cwd, '.ostiary'))
    for (const text of ['{', '{}', '{"secret":"short","password":"x"}']) {
      await writeFile(join(cwd, '.ostiary/try-out.json'), text)
      await expect(readConfig({}, cwd)).rejects.toThrow(
        /^DATA_DIR: .*damaged; delete the folder to start again without its records$/,
      )
    }
  })

  it('serves the demo client under a strict policy, and the start page', async () => {
    const { app } = await start(await folder())
    const get = (path: string, origin = 'http://localhost:3000') => app.fetch(new Request(origin + path))
    const page = await get('/demo')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const html = await page.text()
    // No inline script or style, which the policy would refuse, and nothing from other origins.
    expect(html.replace(/<section class="card next"[\s\S]*?<\/section>/, '')).not.toMatch(
      /<script>|<style|style=|\son\w+=|https?:\/\//,
    )
    // The account page redirects to sign-in.
    for (const [, path = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await get(path)).status, path).toBe(path === '/account' ? 303 : 200)
    for (const path of ['/demo/demo.js', '/demo/oidc-client.js', '/demo/claims.js'])
      expect((await get(path)).headers.get('content-type')).toContain('text/javascript')
    expect(await (await get('/')).text()).toContain('href="/demo"')
    expect((await get('/demo/nothing')).status).toBe(404)
  })

  it.each(['/', '/demo'])(
    '%s ends with a step to a client of one’s own, which works as it stands',
    async (path) => {
      const { app } = await start(await folder(), { PORT: '4001' })
      const html = await (await app.fetch(new Request(`http://localhost:4001${path}`))).text()
      const block = (id: string) =>
        new RegExp(`<pre id="${id}"[^>]*>([\\s\\S]*?)</pre>`).exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
      const cwd = await folder()
      await writeFile(join(cwd, 'ostiary.config.json'), block('own-config'))
      const script = `${block('own-commands')}\nnode -p 'JSON.stringify(process.env)'`
      const { OIDC_SECRET = '', ANN_PASSWORD = '' } = JSON.parse(
        execFileSync('bash', ['-c', script]).toString(),
      )
      const { config } = await start(cwd, { PORT: '4001', OIDC_SECRET, ANN_PASSWORD })
      expect([config.issuer, config.try_out]).toEqual(['http://localhost:4001', null])
      const { clients = [], users = [] } = config.realms.default ?? {}
      expect(clients.map(({ metadata }) => metadata.client_id)).toEqual(['my-app'])
      expect(users.map(({ user }) => user.username)).toEqual(['ann'])
    },
  )

  it('on another host name of this machine the demo redirects to the origin of the issuer', async () => {
    const { app } = await start(await folder())
    const response = await app.fetch(new Request('http://127.0.0.1:3000/demo?x=//evil.example'))
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://localhost:3000/demo'])
  })
})

describe('a deployment whose file is missing does not become a demo', () => {
  it.each([
    [{ DATABASE_URL: 'postgres://ann@x/y' }, 'DATABASE_URL is set'],
    [
      { DATABASE_URL: 'postgres://ann@x/y', REDIS_URL: 'redis://x' },
      'DATABASE_URL is set and REDIS_URL is set',
    ],
    [{ NODE_ENV: 'production' }, 'NODE_ENV is production'],
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
    [{ HOST: '::' }, 'HOST is ::'],
    [{ HOST: '10.1.2.3', OIDC_SECRET: SECRET }, 'HOST is 10.1.2.3'],
    [{ HOST: '127.0.0.1.example.com' }, 'HOST is 127.0.0.1.example.com'],
  ])('%j', async (env, why) => {
    const cwd = await folder()
    await expect(readConfig(env, cwd)).rejects.toThrow(
      `${join(cwd, 'ostiary.config.json')} does not exist, and try-out mode is refused because ${why}: ` +
        'write that file, or name yours with OSTIARY_CONFIG; `ostiary serve --try-out` starts the demo anyway',
    )
    expect((await readConfig(env, cwd, { try_out: true })).try_out).not.toBeNull()
  })

  it.each([{}, { NODE_ENV: 'development' }, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '127.0.0.2' }])(
    '%j is a trial',
    async (env) => expect((await readConfig(env, await folder())).try_out).not.toBeNull(),
  )

  it('--try-out is refused when there is a configuration', async () => {
    const cwd = await folder()
    await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(FILE))
    await expect(readConfig({ OIDC_SECRET: SECRET }, cwd, { try_out: true })).rejects.toThrow(
      `--try-out: there is a configuration (${join(cwd, 'ostiary.config.json')}): start without --try-out`,
    )
  })
})
