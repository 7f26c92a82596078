import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrivateUseScheme } from '../util/private-use-scheme.js'
import {
  matchesRedirectUri,
  operatorUriFault,
  redirectHost,
  redirectUriFault,
  registrationUriFault,
  withQuery,
} from './redirect-uri.js'

describe('matchesRedirectUri', () => {
  it.each<[string, string, boolean]>([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example/cb/', false],
    ['https://a.example/cb', 'https://a.example/cb?x', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['https://a.example/cb', 'https://a.example:443/cb', false],
    ['https://a.example/cb', 'http://a.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/cb', true],
    ['http://127.0.0.1:80/cb', 'http://127.0.0.1/cb', true],
    ['http://[::1]:1/cb', 'http://[::1]:65535/cb', true],
    ['http://localhost:1/cb?x=1', 'http://localhost:2/cb?x=1', true],
    ['http://localhost', 'http://localhost:2', true],
    ['http://localhost?x', 'http://localhost:2?x', true],
    ['http://localhost', 'http://localhost:2/', false],
    ['http://localhost:1/cb', 'http://127.0.0.1:1/cb', false],
    ['http://localhost:1/cb', 'http://localhost:65536/cb', false],
    ['http://localhost:1/cb', 'http://localhost:123456/cb', false],
    ['http://localhost:1/cb', 'http://localhost:/cb', false],
    ['http://localhost:1/cb', 'http://localhost:2/cb#x', false],
    ['http://localhost:1/cb', 'http://localhost:2/CB', false],
    ['http://localhost:1/cb', 'HTTP://localhost:2/cb', false],
    ['http://localhost:1/cb', 'http://localhost.evil.com/cb', false],
    ['http://localhost:1/cb', 'http://localhost:1@evil.com/cb', false],
    ['http://localhost:1/cb', 'http://localhost:1.evil.com/cb', false],
    ['http://localhost:1/cb', 'http://user@localhost:1/cb', false],
    ['https://localhost:1/cb', 'https://localhost:2/cb', false],
    ['http://127.0.0.2/cb', 'http://127.0.0.2:1/cb', false],
    ['http://localhost.example/cb', 'http://localhost.example:1/cb', false],
    ['app://127.0.0.1:1/cb', 'app://127.0.0.1:2/cb', false],
  ])('%s, given %s: %s', (registered, given, matches) => {
    expect(matchesRedirectUri(registered, given)).toBe(matches)
  })

  it('any URI that matches has the registered host, path and query', () => {
    const registered = 'http://127.0.0.1:8080/cb?x=1'
    const piece = fc.constantFrom(
      'http://127.0.0.1',
      ':',
      '8080',
      '@',
      '/cb',
      '?x=1',
      '#',
      '\\',
      '.evil.com',
      '//',
    )
    const given = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 6 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(given, (uri) => {
        if (!matchesRedirectUri(registered, uri)) return
        const { origin, hostname, pathname, search, username, password, hash } = new URL(uri)
        expect(origin).toMatch(/^http:/)
        expect({ hostname, pathname, search }).toEqual({
          hostname: '127.0.0.1',
          pathname: '/cb',
          search: '?x=1',
        })
        expect(username + password + hash).toBe('')
      }),
      { numRuns: 2000, examples: [['http://127.0.0.1:1/cb?x=1'], ['http://127.0.0.1:8080@evil.com/cb?x=1']] },
    )
  })
})

describe('redirectUriFault', () => {
  it.each([
    'https://a.example',
    'https://a.example/cb?x=1&y=%20',
    'http://a.example:8080/cb',
    'http://[::1]:1/cb',
    'com.example.app://host/path',
    'HTTPS://A.EXAMPLE/cb',
    'https://a.example/cb@home',
    'https://a.example/?u=me@home',
    `https://a.example/${'x'.repeat(2030)}`,
  ])('%s has none', (uri) => {
    expect(redirectUriFault(uri)).toBeNull()
  })

  it.each<[string, string]>([
    ['', 'holds a character'],
    ['/cb', 'is not an absolute URI'],
    ['//a.example/cb', 'is not an absolute URI'],
    ['a.example/cb', 'is not an absolute URI'],
    ['https://', 'is not an absolute URI'],
    ['https://a.example:99999/', 'is not an absolute URI'],
    [`https://a.example/${'x'.repeat(2031)}`, 'is longer than 2048 characters'],
    ['https://a.example/c b', 'holds a character'],
    [' https://a.example/cb', 'holds a character'],
    ['https://a.example/cb\n', 'holds a character'],
    ['https://a.example/\0', 'holds a character'],
    ['https://a.example/é', 'holds a character'],
    ['https://a.example\\@evil.com', 'holds a character'],
    ['https://a.example/%', 'holds a bad percent escape'],
    ['https://a.example/%2', 'holds a bad percent escape'],
    ['https://a.example/%zz', 'holds a bad percent escape'],
    ['https://a.example/cb#', 'has a fragment'],
    ['https://a.example/cb#x', 'has a fragment'],
    ['https://user@a.example/cb', 'has user-info'],
    ['https://user:pass@a.example/cb', 'has user-info'],
    ['https://@a.example/cb', 'has user-info'],
    ['https://:@a.example/cb', 'has user-info'],
    ['app://user@host/cb', 'has user-info'],
    ['com.example.app:/path', 'has no host'],
    ['com.example.app:path', 'has no host'],
    ['com.example.app:///path', 'has no host'],
    ['https:a.example', 'has no host'],
    ['https:/a.example', 'has no host'],
    ['urn:ietf:wg:oauth:2.0:oob', 'has no host'],
    ...[
      'javascript:alert(1)',
      'JavaScript://a.example/%0aalert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
    ].map((uri): [string, string] => [uri, 'which is never allowed']),
    ...['vbscript:x', 'blob:https://a.example/1', 'about:blank'].map((uri): [string, string] => [
      uri,
      'which is never allowed',
    ]),
  ])('%j %s', (uri, fault) => {
    expect(redirectUriFault(uri)).toContain(fault)
  })
})

describe('registrationUriFault', () => {
  const policy = {
    allowed_redirect_schemes: ['com.example.app', 'javascript'],
    allowed_private_use_schemes: ['com.example.native', 'javascript'],
    allowed_redirect_domains: ['a.example', 'B.example', 'c.example:8080', '[::1]'],
  }

  it.each<[string, RegExp | null]>([
    ['https://a.example/cb', null],
    ['http://a.example:99/cb', null],
    ['https://A.EXAMPLE/cb', null],
    ['https://b.example/cb', null],
    ['https://c.example:8080/cb', null],
    ['http://[::1]:5000/cb', null],
    ['com.example.app://anything/cb', null],
    ['COM.example.APP://anything/cb', null],
    ['https://c.example/cb', /allowed_redirect_domains/],
    ['https://sub.a.example/cb', /allowed_redirect_domains/],
    ['https://a.example.evil.com/cb', /allowed_redirect_domains/],
    ['https://a.example./cb', /allowed_redirect_domains/],
    ['http://localhost/cb', /allowed_redirect_domains/],
    ['com.example://host/cb', /allowed_redirect_schemes/],
    ['com.example.app.more://host/cb', /allowed_redirect_schemes/],
    ['com.example.app:/cb', /^has no host$/],
    ['com.example.native:/cb', null],
    ['com.example.native:/', null],
    ['com.example.native:/cb#x', /^has a fragment$/],
    ['com.example.native://host/cb', /allowed_redirect_schemes/],
    ['com.example.native:///cb', /^has no host$/],
    ['com.example.native:cb', /^has no host$/],
    ['com.example.native.more:/cb', /^has no host$/],
    ['COM.example.native:/cb', /^has no host$/],
    ['javascript:/alert(1)', /never allowed/],
    ['javascript://a.example/%0aalert(1)', /never allowed/],
    ['https://a.example/cb#x', /^has a fragment$/],
  ])('%s: %s', (uri, fault) => {
    if (fault === null) expect(registrationUriFault(uri, policy)).toBeNull()
    else expect(registrationUriFault(uri, policy)).toMatch(fault)
  })

  it.each<[string, boolean]>([
    ['https://any.example/cb', true],
    ['http://localhost:1/cb', true],
    ['app://host/cb', false],
  ])('with * for the domains %s may register: %s', (uri, may) => {
    const any = {
      allowed_redirect_schemes: [],
      allowed_private_use_schemes: [],
      allowed_redirect_domains: ['*'],
    }
    expect(registrationUriFault(uri, any) === null).toBe(may)
  })
})

it.each<[string, string | null]>([
  ['https://a.example/cb', null],
  ['myapp://callback', null],
  ['com.example.app:/oauth2redirect', null],
  ['com.example.app:/oauth2redirect/example-provider?x=1', null],
  ['com.googleusercontent.apps.123-abc:/oauthredirect', null],
  ['com.example.app:/', null],
  ['com.example.app:///x', 'has no host'],
  ['com.example.app:x', 'has no host'],
  ['com.example.app:', 'has no host'],
  ['com..app:/x', 'has no host'],
  ['app.:/x', 'has no host'],
  ['myapp:/x', 'has no host'],
  ['https:/a.example', 'has no host'],
  ['urn:ietf:wg:oauth:2.0:oob', 'has no host'],
  ['com.example.app:/x#y', 'has a fragment'],
  ['com.example.app:/\\evil.example', 'holds a character that a URI may not hold'],
  ['com.example.app:/%zz', 'holds a bad percent escape'],
  [`com.example.app:/${'x'.repeat(2048)}`, 'is longer than 2048 characters'],
  ['javascript:/alert(1)', 'uses the scheme javascript, which is never allowed'],
  ['data:/text/html,x', 'uses the scheme data, which is never allowed'],
])('a redirect URI of an operator, %s: %s', (uri, fault) => {
  expect(operatorUriFault(uri)).toBe(fault)
})

it.each([
  ['com.example.app', true],
  ['a.b', true],
  ['com.example-2.app+x', true],
  ['myapp', false],
  ['javascript', false],
  ['.app', false],
  ['app.', false],
  ['a..b', false],
  ['Com.example', false],
  ['1a.b', false],
  ['', false],
])('%j is a private-use scheme: %s', (scheme, expected) => {
  expect(isPrivateUseScheme(scheme)).toBe(expected)
})

it.each([
  ['https://a.example/cb', 'a.example'],
  ['https://a.example:8443/cb', 'a.example:8443'],
  ['https://xn--e1afmkfd.example/cb', 'xn--e1afmkfd.example'],
  ['com.example.app://host/cb', 'com.example.app://host'],
  ['com.example.app:/cb', 'com.example.app:'],
])('redirectHost of %s is %s', (uri, host) => {
  expect(redirectHost(uri)).toBe(host)
})

describe('withQuery', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb?code=1&state=a+b'],
    ['https://a.example', 'https://a.example?code=1&state=a+b'],
    ['https://a.example/cb?', 'https://a.example/cb?code=1&state=a+b'],
    ['https://a.example/cb?x=%20y', 'https://a.example/cb?x=%20y&code=1&state=a+b'],
    ['https://a.example/cb?x&', 'https://a.example/cb?x&code=1&state=a+b'],
    ['com.example.app://host', 'com.example.app://host?code=1&state=a+b'],
    ['com.example.app:/cb', 'com.example.app:/cb?code=1&state=a+b'],
  ])('%s becomes %s', (uri, expected) => {
    expect(withQuery(uri, { code: '1', state: 'a b', none: null })).toBe(expected)
  })

  it('gives every value back exactly, and adds nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (state) => {
        const url = new URL(withQuery('https://a.example/cb?x=1', { state }))
        expect([...url.searchParams]).toEqual([
          ['x', '1'],
          ['state', state],
        ])
        expect(url.origin + url.pathname + url.hash).toBe('https://a.example/cb')
      }),
    )
  })
})
