import type { BrowserContext } from 'playwright-core'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

interface SilentRequest {
  issuer: string
  client_id: string
  redirect_uri: string
  /** The one that the application itself asks for: consents are per resource. */
  resource?: string
}

/** Asks for a code with `prompt=none` and the cookies of the browser. @returns The parameters of the redirect. */
export async function silentSignIn(
  context: BrowserContext,
  { issuer, client_id, redirect_uri, resource = '' }: SilentRequest,
): Promise<Record<string, string>> {
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    resource,
    state: 'silent',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  const url = `${issuer}/oauth/authorize?${query}`
  const response = await context.request.get(url, { maxRedirects: 0 })
  const location = response.headers().location
  if (location === undefined)
    throw new Error(`No redirect, but ${response.status()}: ${await response.text()}`)
  return Object.fromEntries(new URL(location).searchParams)
}
