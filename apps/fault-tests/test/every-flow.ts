/** One run through every flow of the provider; what is stored can be looked at after each step. */

import { type Page, person } from '@ostiary/test-kit/person'
import {
  authorizeUrl,
  BACKEND_SECRET,
  backend,
  CALLBACK,
  codeForm,
  PASSWORD,
  post,
  refreshForm,
  send,
  signIn,
  textOf,
  userinfo,
  users,
} from './client.ts'
import type { Receiver } from './receiver.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

export const flowConfig =
  ({ uri }: Receiver) =>
  (origin: string) => ({
    app: { url: origin },
    oidc: {
      resources: { 'api/notes': { scopes: ['notes.read'] } },
      scopes: { 'notes.read': { description: 'Read your notes' } },
      clients: { registration: { enabled: true }, token_exchange: true },
      par: 'allowed',
    },
    clients: [
      {
        client_id: 'app',
        redirect_uris: [CALLBACK],
        post_logout_redirect_uris: [CALLBACK],
        backchannel_logout_uri: uri('app'),
      },
      {
        client_id: 'backend',
        client_secret: BACKEND_SECRET,
        redirect_uris: [CALLBACK],
        trusted: true,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE],
        allowed_exchange_audiences: [`${origin}/api/notes`],
      },
    ],
    users,
  })

/** Secrets that such a run must have shown, and tables that it must have filled. */
const KINDS = [
  'code',
  'code_verifier',
  'access_token',
  'refresh_token',
  'id_token',
  'subject_token',
  'client_secret',
  'password',
  'cookie',
  'return_to',
  'id',
  'auth_token',
  'csrf_token',
  'confirmation_token',
  'request_uri',
  'private_key',
]
const TABLES = [
  'oidc_clients',
  'oidc_consents',
  'oidc_grants',
  'oidc_authorization_codes',
  'oidc_refresh_tokens',
  'oidc_revoked_tokens',
  'oidc_signing_keys',
  'oidc_logout_deliveries',
  'oidc_users',
  'oidc_usernames',
]

/** @param look Called after each step. */
export async function everyFlow(issuer: string, look: () => Promise<void>) {
  let steps = 0
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work
    steps += 1
    await look()
    return done
  }
  const token = async (form: Record<string, string>) => {
    const answer = await step(post(`${issuer}/oauth/token`, form))
    if (answer.status !== 200) throw new Error(`${form.grant_type}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const codeOf = ({ url, status }: Page): string => {
    const code = url.searchParams.get('code')
    if (code === null) throw new Error(`No code: ${status} at ${url}`)
    return code
  }

  const ann = person(issuer)
  const login = await step(ann.open(authorizeUrl(issuer)))
  await step(ann.submit(login, { username: 'ann', password: 'a wrong password, of somebody' }))
  const consent = await step(ann.submit(login, { username: 'ann', password: PASSWORD }))
  const redeemed = await token(codeForm(codeOf(await step(ann.submit(consent)))))
  const renewed = await token(refreshForm(textOf(redeemed, 'refresh_token')))
  await step(userinfo(issuer, textOf(renewed, 'access_token')))
  await step(ann.open(authorizeUrl(issuer, { prompt: 'consent', scope: 'openid email' })))

  const notes = { client_id: 'backend', resource: `${issuer}/api/notes`, scope: 'notes.read' }
  const subject = await token(codeForm(codeOf(await step(ann.open(authorizeUrl(issuer, notes)))), backend))
  await token({
    ...backend,
    grant_type: EXCHANGE,
    subject_token: textOf(subject, 'access_token'),
    subject_token_type: ACCESS_TOKEN,
    audience: notes.resource,
  })
  const parameters = Object.fromEntries(new URL(authorizeUrl(issuer)).searchParams)
  const pushed = await step(post(`${issuer}/oauth/par`, { ...parameters, ...backend }))
  const request = { client_id: 'backend', request_uri: textOf(pushed, 'request_uri') }
  const opened = await step(ann.open(`${issuer}/oauth/authorize?${new URLSearchParams(request)}`))
  await token(codeForm(codeOf(opened), backend))
  const own = await token({ ...backend, grant_type: 'client_credentials' })
  const ownToken = { ...backend, token: textOf(own, 'access_token') }
  await step(post(`${issuer}/oauth/introspect`, ownToken))
  await step(post(`${issuer}/oauth/revoke`, ownToken))

  const registered = await step(
    send(`${issuer}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_post' }),
    }),
  )
  const client = {
    client_id: textOf(registered, 'client_id'),
    client_secret: textOf(registered, 'client_secret'),
  }
  const asked = await step(ann.open(authorizeUrl(issuer, { client_id: client.client_id })))
  await token(codeForm(codeOf(await step(ann.submit(asked))), client))

  // Without a hint the user is asked.
  const question = await step(ann.open(`${issuer}/oauth/logout?client_id=app`))
  await step(ann.submit(question))
  // Signed in once more, and not out again.
  await step(signIn(issuer))
  return { steps, kinds: KINDS, tables: TABLES }
}
