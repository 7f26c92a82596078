/** Bearer tokens in requests, and challenges: RFC 6750 §2.1 and §3, RFC 9728 §5.1. */

import { describe, expect, it } from 'vitest'
import { BearerError, bearerToken, challenge, challengeHeader } from '../src/index.js'

const resource_metadata = 'https://id.example.com/.well-known/oauth-protected-resource'
const request = (authorization?: string, url = 'https://api.example.com/') =>
  new Request(url, authorization === undefined ? {} : { headers: { authorization } })

describe('bearerToken', () => {
  it.each([
    ['Bearer abc.def-ghi', 'abc.def-ghi'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer    abc', 'abc'],
    ['Bearer abc  ', 'abc'],
    ['Bearer a b', 'a b'],
  ])('%j holds %j', (authorization, token) => {
    expect(bearerToken(request(authorization))).toBe(token)
  })

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearerabc', 'Basic YTpi', 'DPoP abc', 'xBearer abc', 'abc'])(
    '%j holds none',
    (authorization) => {
      expect(bearerToken(request(authorization))).toBeNull()
    },
  )

  it('is read from the Authorization header only', () => {
    expect(bearerToken(request(undefined, 'https://api.example.com/?access_token=abc'))).toBeNull()
    const form = new Request('https://api.example.com/', {
      method: 'POST',
      body: new URLSearchParams({ access_token: 'abc' }),
    })
    expect(bearerToken(form)).toBeNull()
  })
})

describe('challengeHeader', () => {
  it('writes realm, error, scope and resource_metadata in this order', () => {
    const parameters = {
      resource_metadata,
      scope: ['a', 'b'],
      error: 'insufficient_scope',
      realm: 'r',
    } as const
    expect(challengeHeader(parameters)).toBe(
      `Bearer realm="r", error="insufficient_scope", scope="a b", resource_metadata="${resource_metadata}"`,
    )
  })

  it('leaves out missing parameters', () => {
    expect(challengeHeader({ realm: 'r', resource_metadata })).toBe(
      `Bearer realm="r", resource_metadata="${resource_metadata}"`,
    )
  })

  it('escapes quotes and backslashes, so that no value can end its parameter', () => {
    expect(challengeHeader({ realm: 'a", error="x\\', resource_metadata })).toBe(
      `Bearer realm="a\\", error=\\"x\\\\", resource_metadata="${resource_metadata}"`,
    )
  })
})

describe('challenge', () => {
  it.each([
    [undefined, 401, ''],
    ['invalid_token', 401, '{"error":"invalid_token"}'],
    ['insufficient_scope', 403, '{"error":"insufficient_scope"}'],
  ] as const)('error %s: %i with the body %j', async (error, status, body) => {
    const response = challenge({ realm: 'r', resource_metadata, ...(error && { error }) })
    expect([response.status, await response.text()]).toEqual([status, body])
    expect(response.headers.get('www-authenticate')).toBe(
      challengeHeader({ realm: 'r', resource_metadata, ...(error && { error }) }),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-type')).toBe(error === undefined ? null : 'application/json')
  })
})

it('a BearerError keeps its reason and its cause', () => {
  const cause = new Error('why')
  expect(new BearerError('invalid_token', 'expired', cause)).toMatchObject({
    name: 'BearerError',
    message: 'invalid_token: expired',
    code: 'invalid_token',
    reason: 'expired',
    cause,
  })
  expect('cause' in new BearerError('invalid_token', 'expired')).toBe(false)
})
