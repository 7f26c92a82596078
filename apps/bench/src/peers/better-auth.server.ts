/**
 * better-auth with its OAuth provider plugin, set up as its documentation says for production: PostgreSQL when
 * DATABASE_URL names one, otherwise its memory adapter; migrations run, trusted clients and the resource cached.
 * RS256 instead of its default EdDSA: the same work for all. Its rate limit is off, which saves it work.
 */

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { oauthProvider } from '@better-auth/oauth-provider'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import { Pool } from 'pg'
import { CALLBACK, email, MACHINE, PASSWORD, SCOPE, username, WEB, WEB_REFRESH } from '../target.js'

const { PORT, HOST, PEOPLE = '1', DATABASE_URL } = process.env
const origin = `http://127.0.0.1:${PORT}`
const api = `${origin}/api`

const options = {
  baseURL: origin,
  secret: 'measured-measured-measured-measured-measured',
  ...(DATABASE_URL !== undefined && { database: new Pool({ connectionString: DATABASE_URL, max: 10 }) }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  // Its documentation says to disable /token beside the OAuth provider.
  disabledPaths: ['/token'],
  plugins: [
    jwt({
      jwt: { issuer: origin },
      jwks: { keyPairConfig: { alg: 'RS256', modulusLength: 2048 } },
    }),
    oauthProvider({
      loginPage: '/sign-in',
      consentPage: '/consent',
      scopes: ['openid', 'profile', 'email', 'offline_access', SCOPE],
      allowDynamicClientRegistration: true,
      allowUnauthenticatedClientRegistration: true,
      resources: [{ identifier: api, allowedScopes: [SCOPE, 'openid', 'email', 'offline_access'] }],
      cachedResources: new Set([api]),
      enforcePerClientResources: false,
      cachedTrustedClients: new Set([MACHINE.client_id, WEB, WEB_REFRESH]),
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
} satisfies BetterAuthOptions

if (DATABASE_URL !== undefined) await (await getMigrations(options)).runMigrations()
const auth = betterAuth(options)
const { adapter } = await auth.$context

/** As the plugin stores a client of the operator's own. */
async function client(values: Record<string, unknown>): Promise<void> {
  const now = new Date()
  const common = {
    disabled: false,
    skipConsent: true,
    redirectUris: [CALLBACK],
    createdAt: now,
    updatedAt: now,
  }
  await adapter.create({ model: 'oauthClient', data: { ...common, ...values } })
}

const secret = createHash('sha256').update(MACHINE.client_secret).digest('base64url')
await client({
  clientId: MACHINE.client_id,
  clientSecret: secret,
  tokenEndpointAuthMethod: 'client_secret_post',
  grantTypes: ['client_credentials'],
  clientCredentialsScopes: [SCOPE],
  scopes: [SCOPE],
})
for (const [clientId, grantTypes] of [
  [WEB, ['authorization_code']],
  [WEB_REFRESH, ['authorization_code', 'refresh_token']],
] as const)
  await client({
    clientId,
    grantTypes,
    tokenEndpointAuthMethod: 'none',
    public: true,
    requirePKCE: true,
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'offline_access', SCOPE],
  })
for (let i = 0; i < Number(PEOPLE); i++)
  await auth.api.signUpEmail({ body: { email: email(i), password: PASSWORD, name: username(i) } })

createServer(toNodeHandler(auth)).listen(Number(PORT), HOST)
process.once('SIGTERM', () => process.exit(0))
