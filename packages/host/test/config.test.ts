import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/index.ts'
import { configure, FILE, faults, folder, PASSWORD, SECRET } from './support.ts'

const client = FILE.clients[0]
const user = FILE.users[0]

describe('the environment', () => {
  it('takes precedence over the file', async () => {
    const oidc = { issuer: 'http://localhost:1', clients: { registration: { enabled: true } } }
    const config = await configure(
      { ...FILE, oidc },
      {
        OIDC_ISSUER: 'https://id.example.com',
        OIDC_CLIENTS_REGISTRATION_ENABLED: 'false',
        PORT: '8080',
        HOST: '0.0.0.0',
      },
    )
    expect(config).toMatchObject({
      issuer: 'https://id.example.com',
      port: 8080,
      host: '0.0.0.0',
      secret: SECRET,
      oidc: { issuer: 'https://id.example.com', clients: { registration: { enabled: false } } },
    })
  })

  it('an empty variable counts as unset', async () => {
    const empty = { PORT: '', HOST: '', OIDC_ISSUER: '', OIDC_CLIENTS_REGISTRATION_ENABLED: '' }
    const config = await configure(FILE, { ...empty, OSTIARY_CONFIG: '', DATABASE_URL: '', REDIS_URL: '' })
    expect(config).toMatchObject({ issuer: 'http://localhost:4000', port: 3000, host: '127.0.0.1' })
    expect(config.oidc.clients).toBeUndefined()
  })

  it('oidc.issuer falls back to app.url', async () => {
    expect((await configure(FILE)).issuer).toBe('http://localhost:4000')
    const both = { ...FILE, oidc: { issuer: 'http://localhost:5000' } }
    expect((await configure(both)).issuer).toBe('http://localhost:5000')
  })

  it.each([
    [{ PORT: '0' }, 'PORT: 0 is not a port: give a number from 1 to 65535'],
    [{ PORT: '3000x' }, 'PORT: "3000x" is not a port: give a number from 1 to 65535'],
    [
      { OIDC_CLIENTS_REGISTRATION_ENABLED: 'yes' },
      'OIDC_CLIENTS_REGISTRATION_ENABLED: "yes" is neither true nor false',
    ],
    [{ OIDC_SECRET: 'short' }, 'OIDC_SECRET: give at least 32 random characters'],
    [{ OIDC_SECRET: 'x'.repeat(32) }, 'OIDC_SECRET: it repeats few characters: give at least 32 random ones'],
    [{ OIDC_SECRET: '' }, 'OIDC_SECRET: set this variable to at least 32 random characters, and keep them'],
    [
      { OIDC_ISSUER: 'http://id.example.com' },
      expect.stringMatching(/^OIDC_ISSUER: "http:.* is not a valid issuer/),
    ],
    [
      { DATABASE_URL: 'mysql://ann:hidden@x' },
      'DATABASE_URL: give a URL such as postgres://user:password@host:5432/database',
    ],
    [
      { DATABASE_URL: 'postgres://x', REDIS_URL: 'localhost' },
      expect.stringMatching(/^REDIS_URL: give a URL such as redis:\/\/host:6379, redis\+sentinel:/),
    ],
    [
      { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://a,b' },
      expect.stringMatching(
        /^REDIS_URL: several hosts are sentinels or nodes of a cluster: give a URL such as /,
      ),
    ],
    [
      { REDIS_URL: 'redis://x' },
      'REDIS_URL: users and clients need DATABASE_URL: set it too, or unset this one',
    ],
    [
      { OSTIARY_SESSIONS: 'redis' },
      'OSTIARY_SESSIONS: redis needs REDIS_URL: set it too, or leave the sessions in the database',
    ],
    [{ OSTIARY_SESSIONS: 'memory' }, 'OSTIARY_SESSIONS: give database or redis'],
  ])('%j is refused', async (env, fault) => expect(await faults(FILE, env)).toEqual([fault]))

  it('a bad app.url is reported under its own name', async () => {
    expect(await faults({ ...FILE, app: { url: 'ftp://x' } })).toEqual([
      expect.stringMatching(/^app\.url: "ftp:\/\/x" is not a valid issuer/),
    ])
  })

  it('DATABASE_URL and REDIS_URL choose the storage, with a file and without', async () => {
    const database_url = 'postgres://ann@x/y'
    const env = { DATABASE_URL: database_url }
    const database = { pool_size: 10, prepare: true, statement_timeout: 5, sharded: false, shards: 1 }
    expect((await configure(FILE, env)).storage).toEqual({ kind: 'postgres', database_url, database })
    const try_out = await readConfig(env, await folder(), { try_out: true })
    expect(try_out.storage).toEqual({ kind: 'postgres', database_url, database })
    const redis_url = 'rediss://:p@x'
    expect((await configure(FILE, { ...env, REDIS_URL: redis_url })).storage).toEqual({
      kind: 'postgres and redis',
      database_url,
      database,
      redis_url,
      sessions: 'database',
    })
    const inRedis = { ...env, REDIS_URL: redis_url, OSTIARY_SESSIONS: 'redis' }
    expect((await configure(FILE, inRedis)).storage).toMatchObject({ sessions: 'redis' })
  })

  it('database.* says how PostgreSQL is used, in the file and by variables', async () => {
    const env = { DATABASE_URL: 'postgres://ann@x/y' }
    const database = { pool_size: 40, prepare: false, statement_timeout: 0, sharded: true, shards: 4 }
    expect((await configure({ ...FILE, database }, env)).storage).toMatchObject({ database })
    const variables = {
      OSTIARY_DATABASE__POOL_SIZE: '3',
      OSTIARY_DATABASE__PREPARE: 'true',
      OSTIARY_DATABASE__STATEMENT_TIMEOUT: '9',
      OSTIARY_DATABASE__SHARDS: '256',
    }
    expect((await configure({ ...FILE, database }, { ...env, ...variables })).storage).toMatchObject({
      database: { pool_size: 3, prepare: true, statement_timeout: 9, sharded: true, shards: 256 },
    })
  })

  it.each([
    [{ pool_size: 0 }, {}, /^database\.pool_size: /],
    [{ pool_size: 1001 }, {}, /^database\.pool_size: /],
    [{ statement_timeout: -1 }, {}, /^database\.statement_timeout: /],
    [{ sharded: true, shards: 257 }, {}, /^database\.shards: /],
    [{ shards: 2 }, {}, /^database\.shards: .* needs database\.sharded/],
    [{ poolsize: 1 }, {}, /^database\.poolsize: there is no such key; did you mean pool_size\?/],
    [{}, { OSTIARY_DATABASE__POOL_SIZE: 'many' }, /^OSTIARY_DATABASE__POOL_SIZE: give a whole number/],
    [{}, { OSTIARY_DATABASE__PREPARE: 'no' }, /^OSTIARY_DATABASE__PREPARE: "no" is neither true nor false/],
  ])('database: %j %j is refused', async (database, env, fault) =>
    expect(await faults({ ...FILE, database }, env)).toEqual([expect.stringMatching(fault)]),
  )

  it('without them the database is embedded, in DATA_DIR; try-out mode has a database of its own', async () => {
    const cwd = await folder()
    expect((await readConfig({}, cwd)).storage).toMatchObject({
      folder: join(cwd, '.ostiary/try-out/pglite'),
    })
    expect((await readConfig({ DATA_DIR: 'a/b' }, cwd)).storage).toEqual({
      kind: 'embedded',
      data_dir: join(cwd, 'a/b'),
      folder: join(cwd, 'a/b/try-out/pglite'),
    })
    const { storage } = await configure(FILE)
    expect(storage).toMatchObject({ kind: 'embedded', folder: expect.stringMatching(/\.ostiary\/pglite$/) })
  })

  it('REDIS_URL without DATABASE_URL is refused without a file too', async () => {
    await expect(readConfig({ REDIS_URL: 'redis://x' }, await folder())).rejects.toThrow(/^REDIS_URL: /)
  })

  it('client_secret_env and password_env read secrets from variables', async () => {
    const file = {
      ...FILE,
      clients: [{ ...client, client_secret_env: 'APP_SECRET' }],
      users: [{ username: 'ann', password_env: 'ANN' }],
    }
    const { realms } = await configure(file, { APP_SECRET: 'the-secret-of-the-app-x', ANN: PASSWORD })
    expect(realms.default?.clients[0]?.client_secret).toBe('the-secret-of-the-app-x')
    expect(realms.default?.users[0]?.user).toEqual({ username: 'ann', password: PASSWORD })
  })
})

describe('the file', () => {
  it('OSTIARY_CONFIG names it, relative to the working directory', async () => {
    const cwd = await folder()
    await mkdir(join(cwd, 'etc'))
    await writeFile(join(cwd, 'etc/my.json'), `\uFEFF${JSON.stringify(FILE)}`)
    const config = await readConfig({ OSTIARY_CONFIG: 'etc/my.json', OIDC_SECRET: SECRET }, cwd)
    expect(config.file).toBe(join(cwd, 'etc/my.json'))
  })

  it('an OSTIARY_CONFIG whose file does not exist is an error, not try-out mode', async () => {
    const cwd = await folder()
    await expect(readConfig({ OSTIARY_CONFIG: './none.json' }, cwd)).rejects.toThrow(
      `OSTIARY_CONFIG: ./none.json (${cwd}/none.json) does not exist`,
    )
  })

  it('a file that cannot be read is an error', async () => {
    await expect(readConfig({ OSTIARY_CONFIG: '.' }, await folder())).rejects.toThrow(
      /cannot be read \(EISDIR\)/,
    )
  })

  it.each([
    ['{ "a": 1 "b": 2 }', '1:10', 'comma expected'],
    ['{\n  /* the app\n', '2:3', 'unexpected end of comment'],
    ["{ 'a': 1 }", '1:3', 'invalid symbol'],
    ['{ "a": [1, 2,, 3] }', '1:14', 'value expected'],
    ['{ "a": "line\nbreak" }', '1:8', 'unexpected end of string'],
    ['{ "a": nul }', '1:8', 'invalid symbol'],
    ['{ "a": 01 }', '1:9', 'comma expected'],
    ['{ "a": {} ', '1:11', 'close brace expected'],
    ['{} {}', '1:4', 'end of file expected'],
    ['', '1:1', 'value expected'],
  ])('%j is not JSON at %s (%s), and the message quotes none of it', async (text, position, fault) => {
    const [message, ...others] = await faults(text)
    expect(message).toMatch(
      new RegExp(`^[^"]*/ostiary\\.config\\.json:${position}: this is not JSON: ${fault}$`),
    )
    expect(others).toEqual([])
  })

  it('may have comments and trailing commas', async () => {
    const config = await configure(`{
      // The public address.
      "app": { "url": "https://id.example.com", },
      "port": 4001, /* behind the proxy */
    }`)
    expect(config).toMatchObject({ issuer: 'https://id.example.com', port: 4001 })
  })

  it('a duplicate key has its last value', async () => {
    expect(
      (await configure('{ "port": 1, "app": { "url": "http://localhost:1" }, "port": 4001 }')).port,
    ).toBe(4001)
  })

  it('__proto__ is an unknown key like any other', async () => {
    const file = '{ "__proto__": { "port": 1 }, "app": { "url": "http://localhost:1" } }'
    expect(await faults(file)).toEqual(['__proto__: there is no such key'])
  })
})

describe('realms', () => {
  const oidc = { routes: { realms: 'path' }, realms: { acme: {}, default: {} } }

  it('realms.<id> holds the clients and users of another realm', async () => {
    const acme = { clients: [client], users: [user] }
    const { realms } = await configure({ ...FILE, oidc, realms: { acme } })
    expect(Object.keys(realms)).toEqual(['default', 'acme'])
    expect(realms.acme?.clients[0]).toMatchObject({ path: 'realms.acme.clients.0', client_secret: null })
  })
})

it('the preset for MCP clients is a valid configuration', async () => {
  expect(await faults({ ...FILE, oidc: { preset: 'mcp' } })).toEqual([])
})

it('the example in your-own-server.md is a valid configuration', async () => {
  const page = await readFile(new URL('../../../docs/your-own-server.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  const env = { WORKER_SECRET: 'a'.repeat(44), ANN_PASSWORD: 'a long passphrase' }
  expect(await faults(example, env)).toEqual([])
})
