/** oidc-provider as the provider of another organisation, on this machine: its protocol, with a page of two lines for the sign-in. */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CLIENT_SECRET } from '@ostiary/test-kit/server'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Other</title><main><h1>Other</h1>
<form method="post"><label>Account <input name="login"></label> <button>Go on</button></form></main></html>`

/** The claims of each account, by `sub`. That provider tells them at its UserInfo endpoint. */
type OtherAccounts = Record<string, Record<string, string | boolean>>

/** It ends with the test. @param callback The redirect URI of its one client, `ostiary`. @returns Its issuer. */
export async function startOtherProvider(
  port: number,
  { callback, accounts }: { callback: string; accounts: OtherAccounts },
): Promise<string> {
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    clients: [{ client_id: 'ostiary', client_secret: CLIENT_SECRET, redirect_uris: [callback] }],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) =>
      accounts[sub] && { accountId: sub, claims: () => ({ sub, ...accounts[sub] }) },
  })
  const protocol = provider.callback()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void protocol(request, response)
    interaction(provider, request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(`${error}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return issuer
}

/** The account is typed; consent is given at once. */
async function interaction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login' && request.method === 'GET') {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(LOGIN_PAGE)
    return
  }
  if (prompt.name === 'login') {
    let form = ''
    for await (const chunk of request) form += chunk
    const accountId = new URLSearchParams(form).get('login') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId } })
    return
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: `${params.client_id}` })
  grant.addOIDCScope(`${params.scope}`)
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}
