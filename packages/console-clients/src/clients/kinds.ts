/** The kinds of clients: what each has at first, and the lines of code that connect it. */

import type { CommandLine } from '@ostiary/console'

export const KINDS = ['web', 'spa', 'native', 'machine'] as const

/** A web application, a single-page application, a native one, a machine. */
export type Kind = (typeof KINDS)[number]

export const isKind = (text: string): text is Kind => (KINDS as readonly string[]).includes(text)

/** The first method of a client with a secret, as the commands choose it. */
const SECRET = { confidential: true, token_endpoint_auth_method: 'client_secret_post' }

/** What a kind has beside its name and its addresses, as a command and a request say it. */
interface Preset {
  body: object
  options: NonNullable<CommandLine['options']>
}

export const PRESETS: Readonly<Record<Kind, Preset>> = {
  web: { body: SECRET, options: [['confidential', null]] },
  spa: { body: {}, options: [] },
  native: { body: {}, options: [] },
  machine: {
    body: { ...SECRET, grant_types: ['client_credentials'] },
    options: [
      ['confidential', null],
      ['grant', 'client_credentials'],
    ],
  },
}

interface Connection {
  issuer: string
  client_id: string
  redirect_uri: string
}

const quoted = (text: string): string => JSON.stringify(text)

const WITH_SECRET = 'process.env.CLIENT_SECRET, client.ClientSecretPost()'

/** Also for a provider under development, whose issuer is http. @param secret It, and the method. */
function discovery({ issuer, client_id }: Connection, secret: string): string {
  const insecure = issuer.startsWith('http:') ? ', { execute: [client.allowInsecureRequests] }' : ''
  return `import * as client from 'openid-client'

const config = await client.discovery(new URL(${quoted(issuer)}), ${quoted(client_id)}, ${secret}${insecure})`
}

const codeFlow = (connection: Connection, secret: string): string =>
  `${discovery(connection, secret)}
const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${quoted(connection.redirect_uri)}, scope: 'openid profile email', state: expectedState,
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256',
})
// Send the browser to url. At the redirect URI:
const callback = new URL(request.url, ${quoted(connection.redirect_uri)})
const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState })
const user = tokens.claims()`

const SNIPPETS: Readonly<Record<Kind, (connection: Connection) => string>> = {
  web: (connection) => codeFlow(connection, WITH_SECRET),
  native: (connection) => codeFlow(connection, 'undefined, client.None()'),
  spa: ({ issuer, client_id, redirect_uri }) => `import { UserManager } from 'oidc-client-ts'

const users = new UserManager({
  authority: ${quoted(issuer)},
  client_id: ${quoted(client_id)},
  redirect_uri: ${quoted(redirect_uri)},
  scope: 'openid profile email',
})
await users.signinRedirect()
// At the redirect URI:
const user = await users.signinCallback()`,
  machine: (connection) => `${discovery(connection, WITH_SECRET)}
const tokens = await client.clientCredentialsGrant(config)`,
}

/** JavaScript. */
export const snippetOf = (kind: Kind, connection: Connection): string => SNIPPETS[kind](connection)
