/** A token that is bound to a key (`cnf`, RFC 7800) is refused in each mode, and no cache lets it through. */

import { describe, expect, it } from 'vitest'
import {
  api,
  CREDENTIALS,
  NOW,
  RESOURCE,
  refused,
  request,
  seen,
  type TestIssuer,
  testIssuer,
} from './support.js'

const CNF = { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } }
const CACHED = { ...CREDENTIALS, cache_seconds: 300 }

type Options = NonNullable<Parameters<typeof api>[1]>

/** Introspection says that each token is active; `answer` is added to what it says. */
function issuerThatAnswers(answer: object): TestIssuer {
  const issuer = testIssuer()
  issuer.introspection = () =>
    Response.json({
      active: true,
      token_type: 'Bearer',
      scope: 'read',
      client_id: 'app',
      sub: 'alice',
      exp: NOW + 900,
      iat: NOW,
      jti: 'j1',
      iss: issuer.issuer,
      aud: [RESOURCE],
      ...answer,
    })
  return issuer
}

describe.each<[string, Options, { in_jwt: boolean; in_answer: boolean }]>([
  ['jwks', {}, { in_jwt: true, in_answer: false }],
  ['jwks with a token cache', { token_cache: {} }, { in_jwt: true, in_answer: false }],
  [
    'introspection',
    { mode: 'introspection', introspection: CREDENTIALS },
    { in_jwt: false, in_answer: true },
  ],
  [
    'introspection, cached',
    { mode: 'introspection', introspection: CACHED },
    { in_jwt: false, in_answer: true },
  ],
  [
    'both, bound in the JWT',
    { introspection: CREDENTIALS, token_cache: {} },
    { in_jwt: true, in_answer: false },
  ],
  [
    'both, bound in the response',
    { introspection: CACHED, token_cache: {} },
    { in_jwt: false, in_answer: true },
  ],
])('%s', (_, options, { in_jwt, in_answer }) => {
  it('refuses the token each time, with the reason, and accepts the same token without cnf', async () => {
    const reasons: string[] = []
    const on_refused: Options['on_refused'] = ({ reason }) => void reasons.push(reason)
    const issuer = issuerThatAnswers(in_answer ? CNF : {})
    const server = api(issuer, { ...options, on_refused })
    const bound = await issuer.token(in_jwt ? CNF : {})
    for (let i = 0; i < 3; i++)
      expect(await seen(await server.authenticate(request(bound)))).toEqual(refused())
    expect(reasons).toEqual(Array(3).fill('unknown_confirmation'))

    const plain = issuerThatAnswers({})
    const accepted = await api(plain, options).authenticate(request(await plain.token()))
    expect(await seen(accepted)).toBe('accepted')
  })
})

it('a cached token without cnf does not let the same token with cnf through', async () => {
  const issuer = testIssuer()
  const server = api(issuer, { token_cache: {} })
  expect(await seen(await server.authenticate(request(await issuer.token())))).toBe('accepted')
  expect(await seen(await server.authenticate(request(await issuer.token(CNF))))).toEqual(refused())
})
