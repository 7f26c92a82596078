/** docs/token-exchange.md: its three cases give the tokens of its table. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, filled, formOf } from '@ostiary/test-kit/browser'
import { jwtClaims } from '@ostiary/test-kit/jwt'
import { expect, it } from 'vitest'
import { fencesOf, ROOT } from './fences.ts'
import { type Fetch, PASSWORD, sendCommand, startPageServer } from './page-server.ts'

const PAGE = 'docs/token-exchange.md'
const ISSUER = 'http://localhost:3000'
const REDIRECT_URI = 'http://localhost:8080/callback'
const SECRETS = {
  SHOP_SECRET: 'the secret of shop, long enough for it',
  NOTES_API_SECRET: 'the secret of notes-api, long enough',
  LEDGER_API_SECRET: 'the secret of ledger-api, long enough',
}

/** The access token of ann for the client shop. */
async function shopToken(fetch: Fetch): Promise<string> {
  const b = browser(fetch)
  const query = new URLSearchParams({
    client_id: 'shop',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const follow = async (response: Response): Promise<Response | string> => {
    const location = response.headers.get('location')
    if (location === null) return response
    const url = new URL(location, ISSUER)
    return url.origin === ISSUER ? follow(await b.get(url.href)) : location
  }
  const page = await follow(await b.get(`${ISSUER}/oauth/authorize?${query}`))
  if (typeof page === 'string') throw new Error('No sign-in')
  const form = formOf(await page.text())
  const fields = { username: 'ann', password: PASSWORD }
  const back = await follow(await b.post(new URL(form.action, ISSUER).href, filled(form, fields).toString()))
  const answer = await b.post(`${ISSUER}/oauth/token`, {
    grant_type: 'authorization_code',
    client_id: 'shop',
    client_secret: SECRETS.SHOP_SECRET,
    code: new URL(String(back)).searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** The access token that the curl command gets. */
async function exchanged(fetch: Fetch, command: string, variables: Record<string, string>) {
  const response = await sendCommand(fetch, command, variables)
  const answer = (await response.json()) as { access_token: string; issued_token_type: string; scope: string }
  expect(response.status, JSON.stringify(answer)).toBe(200)
  expect(answer.issued_token_type).toBe('urn:ietf:params:oauth:token-type:access_token')
  return answer.access_token
}

it('the three cases give tokens with the claims of the table', async () => {
  const fetch = await startPageServer(PAGE, SECRETS)
  const [first, ...others] = fencesOf(PAGE).filter(({ language }) => language === 'sh')
  expect(others).toHaveLength(2)
  const variables: Record<string, string> = { ...SECRETS, SHOP_TOKEN: await shopToken(fetch) }
  variables.NOTES_TOKEN = await exchanged(fetch, first?.code ?? '', variables)
  const tokens = [variables.NOTES_TOKEN]
  for (const { code } of others) tokens.push(await exchanged(fetch, code, variables))

  const lines = readFileSync(join(ROOT, PAGE), 'utf8').split('\n')
  const names = ['sub', 'aud', 'client_id', 'act', 'scope']
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  tokens.forEach((token, index) => {
    const line = lines.find((each) => each.startsWith(`| ${index + 1} |`)) ?? ''
    const cells = line.split('|').slice(2, -1)
    const claims = jwtClaims(token)
    expect(names.map((name) => shown(claims[name]))).toEqual(
      cells.map((cell) => cell.trim().replaceAll('`', '')),
    )
  })
})
