/** The demo of try-out mode, without a browser. */

import { person } from '@ostiary/test-kit/person'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Signs in to the demo client as a browser does. @returns The claims of UserInfo. */
export async function demoSignIn(issuer: string, password: string): Promise<unknown> {
  const redirect_uri = `${issuer}/demo`
  const user = person(issuer)
  const params = {
    client_id: 'demo',
    redirect_uri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }
  const sign_in = await user.open(`${issuer}/oauth/authorize?${new URLSearchParams(params)}`)
  const next = await user.submit(sign_in, { username: 'demo', password })
  const { url } = next.url.searchParams.has('code') ? next : await user.submit(next)
  const form = {
    grant_type: 'authorization_code',
    client_id: 'demo',
    redirect_uri,
    code: url.searchParams.get('code') ?? '',
    code_verifier: VERIFIER,
  }
  const token = await fetch(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await token.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  return (await fetch(`${issuer}/oauth/userinfo`, { headers })).json()
}
