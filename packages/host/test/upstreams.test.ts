/** The keys `identity.upstreams.<id>`, and what may be asked at their addresses. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../src/index.ts'
import { guardedFetch } from '../src/network/guarded-fetch.ts'
import { upstreamFetch, upstreamsOf } from '../src/server/extensions/upstreams.ts'
import { configure, FILE, faults, inMemory, startApp } from './support.ts'

const CORP = {
  type: 'oidc',
  issuer: 'https://login.corp.example',
  client_id: 'ostiary',
  client_secret_env: 'CORP_SECRET',
  name: 'Corp',
}
const ENV = { CORP_SECRET: 'a client secret' }

const withCorp = (more: object = {}, id = 'corp') => ({
  ...FILE,
  identity: { upstreams: { [id]: { ...CORP, ...more } } },
})

describe('identity.upstreams', () => {
  it('without them, there are none, and nothing is loaded', async () => {
    const config = await configure(FILE)
    expect(config).not.toHaveProperty('upstreams')
    expect(await upstreamsOf(config, { storage: inMemory(), now: () => 0 })).toBeNull()
  })

  it('of the first realm and of another one, with their secrets', async () => {
    const file = {
      ...withCorp({
        signup: true,
        domains: ['corp.example'],
        groups: { claim: 'roles', map: { a: 'admins' } },
      }),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: {
        acme: {
          identity: {
            upstreams: { hub: { type: 'github', client_id: 'x', client_secret_env: 'HUB', name: 'GitHub' } },
          },
        },
      },
    }
    const { upstreams } = await configure(file, { ...ENV, HUB: 'another secret' })
    const { client_secret_env: _, ...corp } = CORP
    expect(upstreams).toEqual({
      default: {
        corp: {
          ...corp,
          client_secret: 'a client secret',
          signup: true,
          domains: ['corp.example'],
          groups: { claim: 'roles', map: { a: 'admins' } },
        },
      },
      acme: { hub: { type: 'github', client_id: 'x', client_secret: 'another secret', name: 'GitHub' } },
    })
  })

  it('a command that needs no secrets needs no variable, and has no upstreams', async () => {
    const { file } = await configure(withCorp(), ENV)
    const config = await readConfig(
      { OIDC_SECRET: 'the-secret-of-the-tests-is-long-enough', OSTIARY_CONFIG: file ?? '' },
      '/',
      { entry_secrets: false },
    )
    expect(config).not.toHaveProperty('upstreams')
  })

  it('a wrong id does not hide what else is wrong with the entry', async () => {
    expect(await faults(withCorp({ type: 'google' }, 'Google'), ENV)).toEqual([
      'identity.upstreams.Google.type: give oidc or github',
      'identity.upstreams: Google: an id is at most 32 characters of a-z, 0-9 and "-"',
    ])
  })

  it.each<[string, object, object, string]>([
    [
      'a variable that is not set',
      withCorp(),
      {},
      'corp.client_secret_env: the variable CORP_SECRET is not set',
    ],
    [
      'no secret',
      withCorp({ client_secret_env: undefined }),
      ENV,
      'corp.client_secret_env: missing; give client_secret_env or private_key_env',
    ],
    [
      'a key that is none',
      withCorp({ private_key_env: 'KEY', client_secret_env: undefined }),
      { KEY: 'x' },
      'corp.private_key_env: give a key as PEM',
    ],
    ['no issuer', withCorp({ issuer: undefined }), ENV, 'corp.issuer: missing'],
    [
      'many tenants, and none listed',
      withCorp({ issuer: 'https://login.microsoftonline.com/common/v2.0' }),
      ENV,
      'corp.tenants: missing',
    ],
    [
      'a domain that is none',
      withCorp({ domains: ['@corp.example'] }),
      ENV,
      'corp.domains: "@corp.example" is no domain',
    ],
    ['an id that is no path', withCorp({}, 'Corp/1'), ENV, 'Corp/1'],
    ['an unknown key', withCorp({ client_secret: 'x' }), ENV, 'corp.client_secret: there is no such key'],
    ['another type', withCorp({ type: 'saml' }), ENV, 'corp.type: give oidc or github'],
  ])('%s is a fault that says what to do', async (...[, file, env, expected]) => {
    const found = await faults(file, { ...env })
    expect(found.filter((line) => line.includes(expected))).toHaveLength(1)
    expect(found.filter((line) => line.includes('upstreams'))).toHaveLength(1)
  })

  it('a second factor that the realm does not have is a fault that names both keys', async () => {
    const file = withCorp({ require_second_factor: true })
    const identity = { ...file.identity, passkeys: { enabled: false } }
    expect(await faults({ ...file, identity }, ENV)).toEqual([
      expect.stringMatching(/corp\.require_second_factor: .*identity\.second_factor/),
    ])
    expect(await faults({ ...file, identity: { ...identity, second_factor: 'optional' } }, ENV)).toEqual([])
    expect(await faults(file, ENV)).toEqual([])
  })
})

describe('the sign-in page', () => {
  it('has a button for each upstream, and none without them', async () => {
    const login = '/login?return_to=%2Faccount'
    const plain = await (await startApp()).get(login)
    expect(await plain.text()).not.toContain('Corp')
    const app = await startApp(withCorp(), ENV)
    const html = await (await app.get(login)).text()
    expect(html).toContain('Sign in with Corp')
  })
})

describe('requests to upstreams', () => {
  const realms = { default: { corp: { ...CORP, type: 'oidc' } as const } }
  /** Whether the connection was allowed: there is nothing at these addresses. */
  const refusedAs = (issuer: string, url: string) =>
    upstreamFetch(issuer, realms)(url, {}).then(
      () => 'answered',
      ({ message }: Error) => message,
    )

  it.each([
    ['https://id.example.com', 'https://127.0.0.1:1/', 'forbidden_address'],
    ['https://id.example.com', 'http://127.0.0.1:1/', 'forbidden_scheme'],
    ['https://id.example.com', 'https://10.0.0.1:1/', 'forbidden_address'],
    ['https://id.example.com', 'https://169.254.169.254/', 'forbidden_address'],
    ['http://localhost:3000', 'http://127.0.0.1:1/', 'ECONNREFUSED'],
    ['http://localhost:3000', 'https://127.0.0.1:1/', 'ECONNREFUSED'],
    ['http://localhost:3000', 'https://10.0.0.1:1/', 'forbidden_address'],
  ])('of the server %s to %s: %s', async (issuer, url, expected) => {
    expect(await refusedAs(issuer, url)).toBe(expected)
  })

  it('read 300,000 bytes of an answer', async () => {
    const server = createServer((request, response) =>
      response.end('x'.repeat(Number(request.url?.slice(1)))),
    )
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const send = upstreamFetch('http://localhost:3000', realms)
    const at = (bytes: number) =>
      send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${bytes}`, {})
    expect(await (await at(300_000)).text()).toHaveLength(300_000)
    await expect(at(300_001)).rejects.toThrow('too_large')
  })

  it('may reach a private network at the address of an issuer alone', async () => {
    const private_one = {
      default: { corp: { ...realms.default.corp, issuer: 'https://10.255.255.1:1/realms/a' } },
    }
    const send = upstreamFetch('https://id.example.com', private_one)
    const signal = AbortSignal.timeout(50)
    // Nothing answers there: the connection was begun.
    await expect(send('https://10.255.255.1:1/token', { signal })).rejects.not.toThrow('forbidden')
    await expect(send('https://10.255.255.1:2/token', {})).rejects.toThrow('forbidden_address')
    await expect(send('https://10.255.255.2:1/token', {})).rejects.toThrow('forbidden_address')
  })
})

describe('guardedFetch with max_body_bytes', () => {
  /** Answers with the request's body. */
  async function echo(status: number): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray()
      response.writeHead(status, { 'content-type': `answer to ${request.headers['content-type']}` })
      response.end(Buffer.concat(chunks))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  const post = async (url: string, max_body_bytes?: number) =>
    guardedFetch({ allow_loopback: true, ...(max_body_bytes !== undefined && { max_body_bytes }) })(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code: 'a b' }),
    })

  it('sends a form, and reads an answer of so many bytes', async () => {
    const answer = await post(await echo(400), 'code=a+b'.length)
    expect([answer.status, await answer.text()]).toEqual([400, 'code=a+b'])
    expect(answer.headers.get('content-type')).toBe('answer to application/x-www-form-urlencoded')
  })

  it('refuses a longer one', async () => {
    await expect(post(await echo(200), 'code=a+b'.length - 1)).rejects.toThrow('too_large')
  })

  it('reads none without it, and none with a status that has none', async () => {
    expect(await (await post(await echo(200))).text()).toBe('')
    expect(await (await post(await echo(204), 100)).text()).toBe('')
  })
})
