/** docs/claims-and-groups.md: its configuration gives the claims of its table, and its consent page. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, filled, formOf } from '@ostiary/test-kit/browser'
import { jwtClaims } from '@ostiary/test-kit/jwt'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'
import { PASSWORD, startPageServer } from './page-server.ts'

const PAGE = 'docs/claims-and-groups.md'
const ISSUER = 'http://localhost:3000'
const REDIRECT_URI = 'http://localhost:8080/callback'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** Signs Ann in, and returns the consent page and what the client gets. */
async function authorize(scope: string) {
  const fetch = await startPageServer(PAGE)
  const b = browser(fetch)
  const follow = async (response: Response): Promise<string> => {
    const location = response.headers.get('location')
    if (location === null) return response.text()
    return location.startsWith(ISSUER) || location.startsWith('/')
      ? follow(await b.get(new URL(location, ISSUER).href))
      : location
  }
  const submit = async (html: string, fields: Record<string, string> = {}) => {
    const form = formOf(html)
    return follow(await b.post(new URL(form.action, ISSUER).href, filled(form, fields).toString()))
  }
  const query = new URLSearchParams({
    client_id: 'shop',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope,
    resource: `${ISSUER}/api/orders`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const signIn = await follow(await b.get(`${ISSUER}/oauth/authorize?${query}`))
  const consent = await submit(signIn, { username: 'ann', password: PASSWORD })
  const code = new URL(await submit(consent)).searchParams.get('code') ?? ''
  const answer = await b.post(`${ISSUER}/oauth/token`, {
    grant_type: 'authorization_code',
    client_id: 'shop',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  })
  const { access_token, id_token } = (await answer.json()) as { access_token: string; id_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const userinfo = await fetch(new Request(`${ISSUER}/oauth/userinfo`, { headers }))
  return {
    consent,
    'ID token': jwtClaims(id_token),
    UserInfo: (await userinfo.json()) as Record<string, unknown>,
    'access token': jwtClaims(access_token),
  }
}

it('the claims of the table are those that the client gets', async () => {
  const claims = await authorize('openid groups department orders.read')
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''))
  const lines = readFileSync(join(ROOT, PAGE), 'utf8').split('\n')
  const [, ...names] = cells(lines.find((line) => line.startsWith('| | `groups`')) ?? '')
  expect(names).toHaveLength(3)
  for (const target of ['ID token', 'UserInfo', 'access token'] as const) {
    const [, ...values] = cells(lines.find((line) => line.startsWith(`| ${target} |`)) ?? '')
    const found = names.map((name) => (name in claims[target] ? JSON.stringify(claims[target][name]) : ''))
    expect(found, target).toEqual(values)
  }
})

it('the consent page shows the sensitive scope first', async () => {
  const { consent } = await authorize('openid orders.read orders.delete')
  const at = (text: string) => consent.indexOf(text)
  expect(at('It asks for sensitive access')).toBeGreaterThan(0)
  expect(at('Delete orders')).toBeGreaterThan(at('It asks for sensitive access'))
  expect(at('orders.read')).toBeGreaterThan(at('It will also be able to'))
})
