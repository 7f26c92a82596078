/** What a server says about itself, and the answer of the browser. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { LoginError } from '../src/login-error.js'
import { serverOrigin } from '../src/server-origin.js'
import { loginError } from '../src/sign-in/failure.js'
import { login } from '../src/sign-in/login.js'
import { openLoopback } from '../src/sign-in/loopback.js'
import { opener } from '../src/sign-in/open-browser.js'
import { credentialStore } from '../src/store/credentials.js'
import { documents, ownFolder } from './_hostile.ts'

afterEach(() => vi.useRealTimers())

describe('the address of a server', () => {
  it.each([
    ['https://id.example.com', 'https://id.example.com'],
    ['https://ID.example.com:8443/', 'https://id.example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ])('%s is %s', (text, origin) => expect(serverOrigin(text)).toBe(origin))

  it.each([
    ['id.example.com', 'is no address of a server'],
    ['', 'is no address of a server'],
    ['ftp://id.example.com', 'is no address of a server'],
    ['bad\u001b[31m', 'bad?[31m is no address'],
    ['http://id.example.com', 'is not https'],
    ['http://127.0.0.1.example.com', 'is not https'],
    ['https://ann:x@id.example.com', 'without a username'],
    ['https://id.example.com/realms/a', 'without a path: https://id.example.com'],
    ['https://id.example.com/?a=b', 'without a path'],
    ['https://id.example.com/#a', 'without a path'],
  ])('%j is refused: %s', (text, message) => expect(() => serverOrigin(text)).toThrow(message))
})

const METADATA = '/.well-known/oauth-protected-resource/admin/api/v1'
const ISSUER = '/.well-known/openid-configuration'
const API = {
  resource: 'ORIGIN/admin/api/v1',
  authorization_servers: ['ORIGIN'],
  scopes_supported: ['admin.users:read'],
}
const PROVIDER = {
  issuer: 'ORIGIN',
  authorization_endpoint: 'ORIGIN/authorize',
  token_endpoint: 'ORIGIN/token',
  token_endpoint_auth_methods_supported: ['none'],
  acr_values_supported: ['1', '2'],
}

async function signIn(byPath: Record<string, object>, by: 'browser' | 'device' = 'browser') {
  const shown: URL[] = []
  await login(await documents(byPath), {
    store: credentialStore(await ownFolder()),
    by,
    fresh: false,
    now: 1,
    show: (url) => void shown.push(url),
    showDevice: () => {},
  })
  return shown
}

describe('a server is refused', () => {
  it.each<[string, Record<string, object>]>([
    ['has no admin API: set admin.enabled', {}],
    [
      'has another address: https://evil.example.com/admin/api/v1',
      { [METADATA]: { ...API, resource: 'https://evil.example.com/admin/api/v1' } },
    ],
    [
      'names no issuer of this server',
      { [METADATA]: { ...API, authorization_servers: ['https://evil.example.com', 7] } },
    ],
    ['is not an OpenID provider', { [METADATA]: API }],
    [
      'is not an OpenID provider',
      { [METADATA]: API, [ISSUER]: { ...PROVIDER, issuer: 'https://evil.example.com' } },
    ],
    [
      'has confidential clients alone',
      {
        [METADATA]: API,
        [ISSUER]: { ...PROVIDER, token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      },
    ],
    [
      'the server offers neither',
      { [METADATA]: API, [ISSUER]: { ...PROVIDER, acr_values_supported: ['1'] } },
    ],
    [
      'The sign-in page http://evil.example.com is not https',
      { [METADATA]: API, [ISSUER]: { ...PROVIDER, authorization_endpoint: 'http://evil.example.com/' } },
    ],
  ])('%s', async (message, byPath) => {
    await expect(signIn(byPath)).rejects.toThrow(message)
  })

  it('that shows another page for the code than one with https', async () => {
    const byPath = {
      [METADATA]: API,
      [ISSUER]: { ...PROVIDER, device_authorization_endpoint: 'ORIGIN/device' },
      '/device': {
        device_code: 'd',
        user_code: 'u',
        verification_uri: 'http://evil.example.com/',
        expires_in: 60,
      },
    }
    await expect(signIn(byPath, 'device')).rejects.toThrow('The page for the code is not https')
  })
})

describe('the browser', () => {
  it('has 15 minutes to come back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const loopback = await openLoopback()
    let refused: unknown = null
    loopback.answerTo('state').catch((error) => {
      refused = error
    })
    await vi.advanceTimersByTimeAsync(899_999)
    expect(refused).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(refused).toBeInstanceOf(LoginError)
    loopback.close()
  })

  it('is asked under the address of the redirect URI alone, and once', async () => {
    const loopback = await openLoopback()
    const { redirect_uri } = loopback
    expect(redirect_uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const good = `${redirect_uri}?state=right&code=c`
    expect((await fetch(good)).status).toBe(404)
    const answer = loopback.answerTo('right')
    const by_name = good.replace('127.0.0.1', 'localhost')
    expect((await fetch(by_name)).status).toBe(404)
    for (const query of ['state=wrong', 'state=right&state=right', 'state=', 'code=c'])
      expect((await fetch(`${redirect_uri}?${query}`)).status).toBe(400)
    const coming = fetch(good)
    const { url, show } = await answer
    expect(url.searchParams.get('code')).toBe('c')
    expect((await fetch(good)).status).toBe(404)
    show('Done')
    const page = await coming
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toContain('<p>Done</p>')
    loopback.close()
  })

  it.each<[Record<string, string>, NodeJS.Platform, string[] | null]>([
    [{}, 'linux', null],
    [{ DISPLAY: ':0' }, 'linux', ['xdg-open']],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'freebsd', ['xdg-open']],
    [{}, 'darwin', ['open']],
    [{}, 'win32', ['rundll32', 'url.dll,FileProtocolHandler']],
  ])('with %j on %s is opened by %j', (env, platform, program) => {
    expect(opener(env, platform)).toEqual(program)
  })
})

describe('an error of the library', () => {
  /** With so many errors around it. */
  const nested = (depth: number): unknown => {
    let error: unknown = new LoginError('It says what to do')
    for (let n = 1; n < depth; n += 1) error = new Error('outside', { cause: error })
    return error
  }

  it('that has one of ours within it is that one, in a chain of 6', () => {
    expect(loginError('It has failed', nested(6)).message).toBe('It says what to do')
    expect(loginError('It has failed', nested(7)).message).toBe('It has failed: outside')
  })

  it('does not control the terminal', () => {
    const error = Object.assign(new Error('x'), { error: 'odd', error_description: 'a\u001b[2J' })
    expect(loginError('It has failed', error).message).toBe('It has failed: odd: a?[2J')
    expect(loginError('It has failed', Object.assign(error, { error: 'constructor' })).message).toBe(
      'It has failed: constructor: a?[2J',
    )
  })
})
