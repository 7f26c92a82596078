/**
 * A small OpenID Connect client for the browser: authorization code flow with PKCE, refresh, UserInfo, logout.
 * Times are epoch seconds.
 *
 * @typedef {{ issuer: string, authorization_endpoint: string, token_endpoint: string, jwks_uri: string,
 *   userinfo_endpoint: string, end_session_endpoint: string }} Metadata The discovery document, as far as it is used.
 * @typedef {{ client_id: string, redirect_uri: string }} Client
 * @typedef {{ state: string, nonce: string, code_verifier: string }} AuthRequest What the answer will be checked against.
 * @typedef {{ access_token: string, id_token: string, refresh_token?: string, expires_at: number, scope: string }} Tokens
 * @typedef {Record<string, unknown>} Claims
 */

/** The flow ended without tokens. `code` is an OAuth error code, or one of ours: `bad_answer`, `bad_token`, `unreachable`. */
export class FlowError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.name = 'FlowError'
    this.code = code
  }
}

/** OpenID Connect Discovery 1.0 §4. @param {string} issuer */
export async function discover(issuer) {
  const metadata = await readJson(await send(`${issuer}/.well-known/openid-configuration`))
  // Anybody else's document could send us, and our codes, anywhere.
  if (metadata.issuer !== issuer)
    throw new FlowError('bad_answer', `The document is the one of ${metadata.issuer}`)
  return /** @type {Metadata} */ (metadata)
}

/**
 * Makes an authorization request. Keep `request`, then send the browser to `url`.
 * @param {Metadata} metadata
 * @param {Client} client
 * @param {Record<string, string>} parameters `scope`, `prompt`, …
 */
export async function authorizationRequest(metadata, client, parameters) {
  const request = { state: randomText(), nonce: randomText(), code_verifier: randomText() }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    state: request.state,
    nonce: request.nonce,
    code_challenge: base64url(await sha256(request.code_verifier)),
    code_challenge_method: 'S256',
    ...parameters,
  })
  return { url: `${metadata.authorization_endpoint}?${query}`, request }
}

/**
 * The code of the answer, once it is certain that it answers our request (`state`) and comes from our provider (`iss`,
 * RFC 9207).
 * @param {Metadata} metadata
 * @param {AuthRequest | null} request
 * @param {URLSearchParams} answer
 */
export function readAnswer(metadata, request, answer) {
  if (request === null || answer.get('state') !== request.state)
    throw new FlowError('bad_answer', 'The answer does not belong to a request of this tab')
  if (answer.get('iss') !== metadata.issuer)
    throw new FlowError('bad_answer', 'The answer comes from another provider')
  const error = answer.get('error')
  if (error !== null) throw new FlowError(error, answer.get('error_description') ?? '')
  return answer.get('code') ?? ''
}

/**
 * Redeems the code and checks the ID token (OpenID Connect Core §3.1.3).
 * @param {Metadata} metadata
 * @param {Client} client
 * @param {{ code: string, request: AuthRequest }} answer
 */
export async function redeemCode(metadata, client, { code, request }) {
  const tokens = await requestTokens(metadata, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirect_uri,
    client_id: client.client_id,
    code_verifier: request.code_verifier,
  })
  const claims = await verifyIdToken(metadata, client, tokens)
  if (claims.nonce !== request.nonce)
    throw new FlowError('bad_token', 'The ID token was made for another request')
  return { tokens, claims }
}

/** OpenID Connect Core §12. @param {Metadata} metadata @param {Client} client @param {Tokens} old */
export async function refresh(metadata, client, old) {
  const { refresh_token = '' } = old
  const { client_id } = client
  const tokens = await requestTokens(metadata, { grant_type: 'refresh_token', refresh_token, client_id })
  const claims = await verifyIdToken(metadata, client, tokens)
  if (claims.sub !== decodeJwt(old.id_token).claims.sub)
    throw new FlowError('bad_token', 'The new ID token is about somebody else')
  return { tokens, claims }
}

/**
 * OpenID Connect Core §5.3. An answer about somebody else must not be used (§5.3.2).
 * @param {Metadata} metadata
 * @param {Tokens} tokens
 */
export async function userInfo(metadata, { access_token, id_token }) {
  const claims = await readJson(
    await send(metadata.userinfo_endpoint, { headers: { authorization: `Bearer ${access_token}` } }),
  )
  if (claims.sub !== decodeJwt(id_token).claims.sub)
    throw new FlowError('bad_token', 'UserInfo is about somebody else')
  return claims
}

/** The parts of a JWT, unchecked. @param {string} jwt @returns {{ header: Claims, claims: Claims }} */
export function decodeJwt(jwt) {
  const [header = '', claims = ''] = jwt.split('.')
  /** @param {string} part */
  const parse = (part) => JSON.parse(new TextDecoder().decode(bytes(part)))
  return { header: parse(header), claims: parse(claims) }
}

/** 256 random bits. */
export const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** @param {Metadata} metadata @param {Record<string, string>} parameters */
async function requestTokens(metadata, parameters) {
  const response = await send(metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams(parameters),
  })
  const { expires_in, ...tokens } = await readJson(response)
  const expires_at = Math.floor(Date.now() / 1000) + Number(expires_in)
  return /** @type {Tokens} */ ({ ...tokens, expires_at })
}

/**
 * OpenID Connect Core §3.1.3.7. The signature is checked too.
 * @param {Metadata} metadata
 * @param {Client} client
 * @param {Tokens} tokens
 */
async function verifyIdToken(metadata, client, { id_token, access_token }) {
  const { header, claims } = decodeJwt(id_token)
  const { iss, aud, exp, at_hash } = claims
  const { keys } = await readJson(await send(metadata.jwks_uri))
  const jwk = /** @type {(JsonWebKey & { kid: string })[]} */ (keys).find(({ kid }) => kid === header.kid)
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  if (header.alg !== 'RS256' || !jwk)
    throw new FlowError('bad_token', 'The ID token has no key of the provider')
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const [signed, signature] = split(id_token)
  if (!(await crypto.subtle.verify(algorithm.name, key, bytes(signature), new TextEncoder().encode(signed))))
    throw new FlowError('bad_token', 'The signature of the ID token is wrong')
  if (iss !== metadata.issuer) throw new FlowError('bad_token', 'The ID token is from another issuer')
  if (![aud].flat().includes(client.client_id))
    throw new FlowError('bad_token', 'The ID token is for another client')
  if (Number(exp) <= Date.now() / 1000) throw new FlowError('bad_token', 'The ID token has expired')
  const half = (await sha256(access_token)).slice(0, 16)
  if (at_hash !== base64url(half))
    throw new FlowError('bad_token', 'The ID token belongs to another access token')
  return claims
}

/** The signed text of a JWT and its signature. @param {string} jwt @returns {[string, string]} */
function split(jwt) {
  const end = jwt.lastIndexOf('.')
  return [jwt.slice(0, end), jwt.slice(end + 1)]
}

/** @param {string} url @param {RequestInit} [init] */
async function send(url, init) {
  try {
    return await fetch(url, { credentials: 'omit', ...init })
  } catch {
    throw new FlowError('unreachable', `${new URL(url).host} does not answer`)
  }
}

/** @param {Response} response @returns {Promise<Claims>} */
async function readJson(response) {
  const body = await response.json().catch(() => ({}))
  if (response.ok) return body
  throw new FlowError(
    body.error ?? 'bad_answer',
    body.error_description ?? `The answer was ${response.status}`,
  )
}

/** @param {string} text */
async function sha256(text) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** @param {Uint8Array} data */
const base64url = (data) =>
  btoa(String.fromCharCode(...data)).replace(/[+/=]/g, (c) => ({ '+': '-', '/': '_' })[c] ?? '')

/** @param {string} text */
const bytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
