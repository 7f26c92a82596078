/** The whole flow of a client, from the authorization request to UserInfo. Each step is the provider's own endpoint. */

import { createHash, randomBytes } from 'node:crypto'
import type { Place } from '../place/place.js'
import type { ClientProof } from './credentials.js'

/** A flow that a simulation goes through. */
export interface Flow {
  place: Place
  proof: ClientProof
  /** The header `cookie` of the user's browser. */
  cookie: string
}

/** The answer of the token endpoint. */
export interface IssuedTokens {
  access_token: string
  token_type: string
  expires_in: number
  scope?: string
  refresh_token?: string
  id_token?: string
}

/** What the client asks for. */
export interface RequestedTokens {
  client_id: string
  redirect_uri: string | null
  scopes: readonly string[]
  resource: string | null
}

/** Null when a step was refused, or asks for a sign-in: the events of the place tell which. */
export async function issuedTokens(flow: Flow, asked: RequestedTokens): Promise<IssuedTokens | null> {
  const code_verifier = randomBytes(32).toString('base64url')
  const { redirect_uri, resource } = asked
  const target = redirect_uri !== null && { redirect_uri }
  const request = {
    response_type: 'code',
    scope: asked.scopes.join(' '),
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...target,
    ...(resource !== null && { resource }),
  }
  const sent = await sentRequest(flow, request)
  if (sent === null) return null
  const code = await grantedCode(flow, { client_id: asked.client_id, ...sent })
  if (code === null) return null
  const form = { grant_type: 'authorization_code', code, code_verifier }
  const answer = await postAsClient(flow, flow.place.realm.urls.token_endpoint, {
    ...form,
    ...target,
  })
  return answer.ok ? ((await answer.json()) as IssuedTokens) : null
}

/** The parameters for the browser. The client pushes them where it can (RFC 9126). Null: they were refused. */
async function sentRequest(
  flow: Flow,
  request: Record<string, string>,
): Promise<Record<string, string> | null> {
  const { policy, urls } = flow.place.realm
  if (policy.pushed === 'off') return request
  const answer = await postAsClient(flow, urls.pushed_authorization_request_endpoint, request)
  if (!answer.ok) return null
  const { request_uri } = (await answer.json()) as { request_uri: string }
  return { request_uri }
}

/** The user allows what the consent page asks. */
async function grantedCode(
  { place, cookie }: Flow,
  parameters: Record<string, string>,
): Promise<string | null> {
  const url = `${place.realm.urls.authorization_endpoint}?${new URLSearchParams(parameters)}`
  const answer = await place.fetch(new Request(url, { headers: { cookie } }))
  const { consent } = place.prompts
  if (consent === null) return codeOf(answer)
  const body = new URLSearchParams({ auth_token: consent.auth_token })
  return codeOf(await place.fetch(new Request(consent.action, { method: 'POST', headers: { cookie }, body })))
}

const codeOf = ({ headers }: Response): string | null => {
  const location = headers.get('location')
  return location === null ? null : new URL(location).searchParams.get('code')
}

/** With a proof of a key where the server asks for one, and with the nonce that it asks for. */
async function postAsClient(flow: Flow, url: string, parameters: Record<string, string>): Promise<Response> {
  const { events, realm } = flow.place
  const send = async (dpop: { nonce: string | null } | null) => {
    events.length = 0
    return sendAsClient(flow, { url, parameters, dpop })
  }
  const answer = await send(null)
  if (answer.ok || realm.policy.proofs === null || !(await asksForProof(answer))) return answer
  return withNonce((nonce) => send({ nonce }))
}

/** Sends once more with the nonce that the server asks for. */
async function withNonce(send: (nonce: string | null) => Promise<Response>): Promise<Response> {
  const answer = await send(null)
  const nonce = answer.headers.get('dpop-nonce')
  return answer.ok || nonce === null ? answer : send(nonce)
}

interface ClientRequest {
  url: string
  parameters: Record<string, string>
  /** Null: without a proof. */
  dpop: { nonce: string | null } | null
}

async function sendAsClient({ place, proof }: Flow, request: ClientRequest): Promise<Response> {
  const { url, parameters, dpop } = request
  const body = new URLSearchParams(parameters)
  const { now } = place.clock
  const headers = await proof.authenticate(body, { issuer: place.realm.issuer, now })
  if (dpop !== null) headers.dpop = await proof.dpop({ method: 'POST', url, now, ...dpop })
  return place.fetch(new Request(url, { method: 'POST', headers, body }))
}

async function asksForProof(answer: Response): Promise<boolean> {
  const { error } = (await answer.clone().json()) as { error?: string }
  return error === 'invalid_dpop_proof'
}

/** The text that UserInfo answers with the access token; null when it answers with an error. */
export async function userinfo(flow: Flow, tokens: IssuedTokens): Promise<string | null> {
  const answer = await withNonce((nonce) => askUserinfo(flow, tokens, nonce))
  return answer.ok ? answer.text() : null
}

async function askUserinfo(
  { place, proof }: Flow,
  { access_token, token_type }: IssuedTokens,
  nonce: string | null,
): Promise<Response> {
  const url = place.realm.urls.userinfo_endpoint
  const dpop = { method: 'GET', url, now: place.clock.now, nonce, access_token }
  const headers = {
    authorization: `${token_type} ${access_token}`,
    ...(token_type === 'DPoP' && { dpop: await proof.dpop(dpop) }),
  }
  return place.fetch(new Request(url, { headers }))
}
