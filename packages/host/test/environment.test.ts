/** Every key can be set in the file or by a variable: `OSTIARY_` and its path, or a short name. */

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { variables } from '../src/config/environment.ts'
import { migrateDatabase, readConfig } from '../src/index.ts'
import { configure, FILE, faults, folder, SECRET } from './support.ts'

describe('OSTIARY_ and the path of the key, in upper case, joined by two underscores', () => {
  it('takes precedence over the file: for a text, a number, a boolean, a list and a map', async () => {
    const file = { ...FILE, oidc: { tokens: { access_token: 60, id_token: 61 }, resources: { old: {} } } }
    const config = await configure(file, {
      OSTIARY_OIDC__ISSUER: 'https://id.example.com',
      OSTIARY_OIDC__TOKENS__ACCESS_TOKEN: '120',
      OSTIARY_OIDC__HANDLERS__REVOKE: 'false',
      OSTIARY_OIDC__CLIENTS__OPTIONAL_SCOPES: '["openid"]',
      OSTIARY_OIDC__RESOURCES: '{"api":{"scopes":["read"]}}',
      OSTIARY_TRUSTED_PROXIES: '["10.0.0.0/8"]',
      OSTIARY_THEME__NAME: 'Acme',
      OSTIARY_PORT: '8080',
    })
    expect(config).toMatchObject({
      issuer: 'https://id.example.com',
      port: 8080,
      trusted_proxies: ['10.0.0.0/8'],
      theme: { name: 'Acme' },
      oidc: {
        tokens: { access_token: 120, id_token: 61 },
        handlers: { revoke: false },
        clients: { optional_scopes: ['openid'] },
      },
    })
    expect(config.oidc.resources).toEqual({ api: { scopes: ['read'] } })
  })

  it('needs no file at all', async () => {
    const cwd = await folder()
    const env = {
      OIDC_SECRET: SECRET,
      OSTIARY_APP__URL: 'https://id.example.com',
      OSTIARY_CLIENTS: JSON.stringify(FILE.clients),
    }
    const config = await readConfig(env, cwd)
    expect(config).toMatchObject({ try_out: null, file: null, issuer: 'https://id.example.com' })
    expect(config.realms.default?.clients).toHaveLength(1)
    expect(await readdir(cwd)).toEqual([])
  })

  it('can set every key of the file, and no two keys have the same name', () => {
    const names = variables().flatMap((variable) => variable.names)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(45)
    expect(names).toEqual(expect.arrayContaining(['OSTIARY_SECRET', 'OIDC_SECRET', 'OSTIARY_OIDC__REALMS']))
  })

  it('counts as unset when it is empty', async () => {
    expect((await configure(FILE, { OSTIARY_PORT: '', OSTIARY_NOTHING: '' })).port).toBe(3000)
  })
})

describe('a fault in a variable is reported under the name of the variable', () => {
  it.each<[Record<string, string>, string]>([
    [
      { OSTIARY_OIDC__TOKENS__ACESS_TOKEN: '60' },
      'OSTIARY_OIDC__TOKENS__ACESS_TOKEN: there is no such setting; did you mean OSTIARY_OIDC__TOKENS__ACCESS_TOKEN?',
    ],
    [
      { OSTIARY_OIDC_TOKENS_ACCESS_TOKEN: '60' },
      'OSTIARY_OIDC_TOKENS_ACCESS_TOKEN: there is no such setting; did you mean OSTIARY_OIDC__TOKENS__ACCESS_TOKEN?',
    ],
    [
      { OSTIARY_OIDC__DPOP__ENABLED: 'true' },
      'OSTIARY_OIDC__DPOP__ENABLED: this key no longer exists: set oidc.dpop to "on" or "off"',
    ],
    [{ OSTIARY_CONFG: 'x.json' }, 'OSTIARY_CONFG: there is no such setting; did you mean OSTIARY_CONFIG?'],
    [
      { OSTIARY_OIDC__TOKENS: '{}' },
      'OSTIARY_OIDC__TOKENS: this is a group; set one of its keys, such as OSTIARY_OIDC__TOKENS__AUTHORIZATION_CODE',
    ],
    [{ OSTIARY_OIDC__TOKENS__ID_TOKEN: '1h' }, 'OSTIARY_OIDC__TOKENS__ID_TOKEN: give a number'],
    [
      { OSTIARY_OIDC__HANDLERS__REVOKE: 'no' },
      'OSTIARY_OIDC__HANDLERS__REVOKE: "no" is neither true nor false',
    ],
    [
      { OSTIARY_TRUSTED_PROXIES: '10.0.0.1' },
      'OSTIARY_TRUSTED_PROXIES: give JSON: a list such as ["a","b"], or a map such as {"a":{}}',
    ],
    [
      { OSTIARY_TRUSTED_PROXIES: '["10.0.0.300"]' },
      'OSTIARY_TRUSTED_PROXIES.0: give an IP address such as 10.0.0.1, or a range such as 10.0.0.0/8',
    ],
    [
      { OSTIARY_OIDC__RESOURCES: '{"api":{"scpes":[]}}' },
      'OSTIARY_OIDC__RESOURCES.api.scpes: there is no such key; did you mean scopes?',
    ],
    [{ OSTIARY_OIDC__ROUTES__REALMS: 'paht' }, 'OSTIARY_OIDC__ROUTES__REALMS: give single or path'],
    [{ PORT: '4000', OSTIARY_PORT: '4000' }, 'OSTIARY_PORT: PORT sets the same key; keep one of the two'],
    [{ OSTIARY_SECRET: 'short', OIDC_SECRET: '' }, 'OSTIARY_SECRET: give at least 32 random characters'],
  ])('%j', async (env, fault) => expect(await faults(FILE, env)).toEqual([fault]))

  it('a variable that a client_secret_env names is accepted', async () => {
    const clients = [{ ...FILE.clients[0], client_secret_env: 'OSTIARY_APP_SECRET' }]
    const { realms } = await configure({ ...FILE, clients }, { OSTIARY_APP_SECRET: 'x'.repeat(32) })
    expect(realms.default?.clients[0]?.client_secret).toBe('x'.repeat(32))
  })
})

it('the file can set what the environment can set, and may have $schema', async () => {
  const config = await configure(
    {
      ...FILE,
      $schema: './ostiary.config.schema.json',
      port: 4001,
      host: '::1',
      secret: SECRET,
      database_url: 'postgres://a/b',
      redis_url: 'redis://c',
    },
    { OIDC_SECRET: '' },
  )
  expect(config).toMatchObject({
    port: 4001,
    host: '::1',
    secret: SECRET,
    storage: { kind: 'postgres and redis', database_url: 'postgres://a/b', redis_url: 'redis://c' },
  })
})

describe('migrate needs only the database', () => {
  const migrate = async (env: Record<string, string>, file?: unknown) => {
    const cwd = await folder()
    if (file !== undefined) await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
    return migrateDatabase(env, { cwd, plan_only: true }).then(
      () => 'done',
      (error: Error) => error.message,
    )
  }
  const closedPort = 'postgres://ann@127.0.0.1:1/x'

  it('its URL comes from the file or a variable, even if other keys have faults', async () => {
    const faulty = { cliens: [], port: 'x' }
    expect(await migrate({ REDIS_URL: 'x', PORT: '0' }, { ...faulty, database_url: closedPort })).toContain(
      'ECONNREFUSED',
    )
    expect(await migrate({ OSTIARY_DATABASE_URL: closedPort, OSTIARY_PROT: '1' }, faulty)).toContain(
      'ECONNREFUSED',
    )
  })

  it('its URL must be set and valid, and so must its settings', async () => {
    expect(await migrate({}, FILE)).toMatch(/^DATABASE_URL: set this variable/)
    expect(await migrate({ DATABASE_URL: closedPort, OSTIARY_DATABASE__POOL_SIZE: '0' })).toMatch(
      /^OSTIARY_DATABASE__POOL_SIZE: /,
    )
    expect(await migrate({ DATABASE_URL: 'mysql://a:hidden@b', PORT: '0' }, { cliens: [] })).toBe(
      'DATABASE_URL: give a URL such as postgres://user:password@host:5432/database',
    )
  })
})
