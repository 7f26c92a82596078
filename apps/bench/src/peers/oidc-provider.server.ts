/**
 * oidc-provider on its in-memory adapter, set up as its documentation says for production: own signing keys, own cookie
 * keys, no development interactions, long-lived provider sessions, sign-in and consent by own pages. Access tokens for
 * the API are JWTs (`resourceIndicators`), of RS256 or with ES256=1 of ES256, and then it takes DPoP proofs too. Those for the
 * provider itself are opaque, which is its default.
 */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { type Configuration, errors, Provider } from 'oidc-provider'
import { CALLBACK, MACHINE, SCOPE, WEB, WEB_REFRESH } from '../target.js'

const issuer = `http://127.0.0.1:${process.env.PORT}`
const api = `${issuer}/api`
const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
const is_es256 = process.env.ES256 === '1'
const es256 = await generateKeyPair('ES256', { extractable: true })
const keys = [
  { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' },
  ...(is_es256 ? [{ ...(await exportJWK(es256.privateKey)), use: 'sig', alg: 'ES256' }] : []),
]

const web = {
  redirect_uris: [CALLBACK],
  response_types: ['code' as const],
  token_endpoint_auth_method: 'none' as const,
}

const configuration: Configuration = {
  jwks: { keys },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  scopes: ['openid', 'offline_access', 'email'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  clients: [
    {
      ...MACHINE,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_post',
    },
    { ...web, client_id: WEB, grant_types: ['authorization_code'] },
    { ...web, client_id: WEB_REFRESH, grant_types: ['authorization_code', 'refresh_token'] },
  ],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    registration: { enabled: true },
    dPoP: { enabled: is_es256 },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        if (resource !== api) throw new errors.InvalidTarget()
        return {
          scope: SCOPE,
          audience: api,
          accessTokenTTL: 900,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: is_es256 ? 'ES256' : 'RS256' } },
        }
      },
    },
  },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  ttl: {
    AccessToken: 900,
    AuthorizationCode: 60,
    ClientCredentials: 3600,
    IdToken: 3600,
    RefreshToken: 1_209_600,
  },
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true }),
  }),
}

const provider = new Provider(issuer, configuration)
const callback = provider.callback()

/** Replaces the pages: a request that names an account is signed in and consents. Never measured. */
async function interaction(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    const accountId = new URLSearchParams(await textOf(request)).get('login') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId } })
    return
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: `${params.client_id}` })
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[]
    missingResourceScopes?: Record<string, string[]>
  }
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '))
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

createServer((request, response) => {
  if (!request.url?.startsWith('/interaction/')) void callback(request, response)
  else
    interaction(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(`${error}`)
    })
}).listen(Number(process.env.PORT), process.env.HOST)
process.once('SIGTERM', () => process.exit(0))
