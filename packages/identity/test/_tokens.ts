/** Tokens of a client, and whether they are still accepted. */

import { createHash } from 'node:crypto'
import type { Client } from '@ostiary/core'
import { allow } from './_account.js'
import { type Browser, REDIRECT_URI, type Setup } from './_setup.js'

/** The client may use refresh tokens. */
export const REFRESHES: Partial<Client> = { grant_types: ['authorization_code', 'refresh_token'] }

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export interface Tokens {
  access_token: string
  refresh_token: string
}

/** The user of this browser gives the consent, and the client redeems the code. */
export async function tokensFrom(s: Setup, b: Browser, params: Record<string, string> = {}): Promise<Tokens> {
  const sent = await allow(s, b, { code_challenge: CHALLENGE, ...params })
  const code = new URL(sent.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const answer = await token(s, {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT_URI,
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  return (await answer.json()) as Tokens
}

/** The status of each use: 200, or 401 and 400 after the tokens have ended. */
export async function uses(s: Setup, { access_token, refresh_token }: Tokens) {
  const authorization = `Bearer ${access_token}`
  const userinfo = await s.handle(
    new Request('https://id.example/oauth/userinfo', { headers: { authorization } }),
  )
  const refreshed = await token(s, { grant_type: 'refresh_token', refresh_token })
  return { userinfo: userinfo.status, refresh: refreshed.status }
}

export const GOOD = { userinfo: 200, refresh: 200 }
export const REFUSED = { userinfo: 401, refresh: 400 }

const token = (s: Setup, fields: Record<string, string>): Promise<Response> =>
  s.handle(
    new Request('https://id.example/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'app', ...fields }),
    }),
  )
