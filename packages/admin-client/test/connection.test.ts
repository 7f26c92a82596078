/** Requests and refreshes with a server that answers as a test wants. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { eventually } from '@ostiary/test-kit/eventually'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AdminApiError, LoginError, openConnection } from '../src/index.js'
import { credentialStore } from '../src/store/credentials.js'
import { ownFolder, serverOf } from './_hostile.ts'

afterEach(() => vi.useRealTimers())

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const MIB = 1_048_576

/** A text is sent as it is. */
const json = (
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A server with a token endpoint that rotates without any grace, and a user who is signed in to it. */
async function place(api: Answer, beforeToken: (sent: string) => Promise<void> | void = () => {}) {
  let refresh_token = 'token-0'
  let count = 0
  const origin: string = await serverOf(async (request, response) => {
    const { url = '' } = request
    if (url.startsWith('/.well-known/'))
      return json(response, {
        issuer: origin,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
      })
    if (url !== '/token') return api(request, response)
    const sent = new URLSearchParams(await text(request)).get('refresh_token') ?? ''
    await beforeToken(sent)
    if (sent !== refresh_token) return json(response, { error: 'invalid_grant' }, { status: 400 })
    count += 1
    refresh_token = `token-${count}`
    return json(response, {
      access_token: `access-${count}`,
      token_type: 'Bearer',
      expires_in: 60,
      refresh_token,
    })
  })
  const env = await ownFolder()
  const store = credentialStore(env)
  const sign_in = {
    issuer: origin,
    resource: `${origin}/admin/api/v1`,
    scope: 'openid',
    sub: 'ann-1',
    username: 'ann',
    signed_in_at: 1,
    refresh_token,
    dpop_key: null,
  }
  await store.put(origin, sign_in)
  const connect = () => openConnection(origin, { env })
  return { origin, env, store, sign_in, connect, refreshes: () => count }
}

const LIST = { method: 'GET', path: '/realms/default/users' }

describe('a request', () => {
  it('has its parameters, body and headers, and the answer is read', async () => {
    const seen: unknown[] = []
    const { connect, origin } = await place(async (request, response) => {
      const { method, url, headers } = request
      seen.push([
        method,
        url,
        headers['content-type'],
        headers['if-match'],
        headers.authorization,
        await text(request),
      ])
      if (method === 'DELETE') return void response.writeHead(204).end()
      json(response, { ok: true }, { status: 201, headers: { etag: '"1"' } })
    })
    const connection = await connect()
    expect(connection.server).toBe(origin)
    const query = { limit: '2', cursor: 'a b&c' }
    const answer = await connection.request({ ...LIST, query })
    expect(answer).toMatchObject({ status: 201, body: { ok: true } })
    expect(answer.headers.get('etag')).toBe('"1"')
    await connection.request({
      method: 'PATCH',
      path: '/a',
      body: { b: null },
      headers: { 'if-match': '"1"' },
    })
    await connection.request({ method: 'PUT', path: '/a', body: { b: 1 } })
    const gone = await connection.request({ method: 'DELETE', path: '/a' })
    expect(gone).toMatchObject({ status: 204, body: null })
    const by = 'Bearer access-1'
    expect(seen).toEqual([
      ['GET', '/admin/api/v1/realms/default/users?limit=2&cursor=a+b%26c', undefined, undefined, by, ''],
      ['PATCH', '/admin/api/v1/a', 'application/merge-patch+json', '"1"', by, '{"b":null}'],
      ['PUT', '/admin/api/v1/a', 'application/json', undefined, by, '{"b":1}'],
      ['DELETE', '/admin/api/v1/a', undefined, undefined, by, ''],
    ])
  })

  it.each(['/../../token', 'x', '//evil.example.com/', '@evil.example.com/', '/%2e%2e/x'])(
    'does not leave the API: %s',
    async (path) => {
      const paths: (string | undefined)[] = []
      const { connect } = await place((request, response) => {
        paths.push(request.url)
        json(response, {})
      })
      const sent = (await connect()).request({ method: 'GET', path })
      if (path.startsWith('//')) await sent
      else await expect(sent).rejects.toThrow('is not below the admin API')
      expect(paths.every((url) => url?.startsWith('/admin/api/v1/'))).toBe(true)
    },
  )

  it('is repeated once, with a new token, when the token is refused', async () => {
    const seen: (string | undefined)[] = []
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
    const { connect } = await place((request, response) => {
      seen.push(request.headers.authorization)
      if (request.headers.authorization === 'Bearer access-1')
        return json(response, {}, { status: 401, headers })
      if (request.url?.endsWith('/never')) return json(response, {}, { status: 401, headers })
      json(response, {})
    })
    const connection = await connect()
    expect(await connection.request(LIST)).toMatchObject({ status: 200 })
    await expect(connection.request({ method: 'GET', path: '/never' })).rejects.toThrow('answers with 401')
    expect(seen).toEqual(['Bearer access-1', 'Bearer access-2', 'Bearer access-2', 'Bearer access-3'])
  })

  it('has an error with what the API says', async () => {
    const problem = {
      type: 'urn:ostiary:problem:invalid_request',
      title: 'The request is not\u001b[2J valid',
      errors: [{ pointer: '/a', message: 'wrong', suggestion: 'b' }],
      request_id: 'x',
    }
    const { connect } = await place((request, response) => {
      if (request.url?.endsWith('/page')) return json(response, '<h1>Bad gateway</h1>', { status: 502 })
      json(response, problem, { status: 400, headers: { 'content-type': 'application/problem+json' } })
    })
    const connection = await connect()
    const error = await connection.request(LIST).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AdminApiError)
    expect(error).toMatchObject({
      name: 'AdminApiError',
      status: 400,
      problem,
      message: 'The request is not?[2J valid',
    })
    const other = await connection.request({ method: 'GET', path: '/page' }).catch((thrown) => thrown)
    expect(other).toMatchObject({ status: 502, problem: { type: 'about:blank' } })
  })

  it.each([
    ['error="insufficient_user_authentication", acr_values="2", max_age=1799', ' --fresh, and then'],
    ['error="insufficient_user_authentication", acr_values="2", max_age=1800', /\d, and then/],
    ['error="insufficient_user_authentication", acr_values="2"', /\d, and then/],
    [
      'error="insufficient_scope", scope="admin.users:write"',
      'does not allow admin.users:write: run ostiary login http',
    ],
  ])('that needs another sign-in says which: %s', async (parameters, message) => {
    const { connect } = await place((_, response) =>
      json(response, {}, { status: 401, headers: { 'www-authenticate': `Bearer ${parameters}` } }),
    )
    await expect((await connect()).request(LIST)).rejects.toThrow(message)
  })

  it('has an answer of at most 8 MiB', async () => {
    const { connect } = await place((request, response) => {
      const bytes = 8 * MIB + (request.url?.endsWith('/more') ? 1 : 0)
      json(response, `"${'x'.repeat(bytes - 2)}"`)
    })
    const connection = await connect()
    expect(await connection.request(LIST)).toMatchObject({ status: 200 })
    const more = connection.request({ method: 'GET', path: '/more' })
    await expect(more).rejects.toThrow('has more than 8 MiB')
    await expect(more).rejects.toBeInstanceOf(LoginError)
  })

  it('follows no redirect', async () => {
    const { connect } = await place((_, response) => {
      response.writeHead(307, { location: 'https://evil.example.com/' }).end()
    })
    const answer = (await connect()).request(LIST)
    expect(await answer.catch(({ message }) => message)).toMatchObject({ status: 307 })
  })
})

describe('refreshes', () => {
  it('of two commands at once are one after the other: the second has the token of the first', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const sent: string[] = []
    const { connect, store, origin } = await place(
      (_, response) => json(response, {}),
      (token) => {
        sent.push(token)
        return sent.length === 1 ? held : undefined
      },
    )
    const first = connect().then((connection) => connection.request(LIST))
    await eventually(() => sent.length > 0)
    const others = [connect(), connect(), connect()].map(async (opened) => (await opened).request(LIST))
    // A command that waits for no lock would have sent its request by the time that this one has its answer.
    await (await fetch(`${origin}/.well-known/openid-configuration`)).text()
    expect(sent).toEqual(['token-0'])
    release()
    const answers = await Promise.all([first, ...others])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(sent).toEqual(['token-0', 'token-1', 'token-2', 'token-3'])
    expect((await store.all()).get(origin)?.refresh_token).toBe('token-4')
  })

  it('of one connection are one for all its requests, until the token is about to end', async () => {
    const { connect, refreshes } = await place((_, response) => json(response, {}))
    const connection = await connect()
    await Promise.all([connection.request(LIST), connection.request(LIST)])
    await connection.request(LIST)
    expect(refreshes()).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29_000 })
    await connection.request(LIST)
    expect(refreshes()).toBe(1)
    vi.setSystemTime(Date.now() + 2_000)
    await connection.request(LIST)
    expect(refreshes()).toBe(2)
  })

  it('are refused for a sign-in that has ended, and that the user is not signed in', async () => {
    const { connect, store, origin, sign_in, env } = await place((_, response) => json(response, {}))
    await store.put(origin, { ...sign_in, refresh_token: 'other' })
    await expect((await connect()).request(LIST)).rejects.toThrow(
      `has ended, as it was revoked, signed out in the browser, or too old: run ostiary login ${origin}`,
    )
    const connection = await connect()
    await store.put(origin, null)
    await expect(connection.request(LIST)).rejects.toThrow(`You are not signed in to ${origin}`)
    await expect(connect()).rejects.toBeInstanceOf(LoginError)
    await expect(openConnection('http://id.example.com', { env })).rejects.toThrow('is not https')
  })
})
