/** What the buttons of the demo do, and what it shows. The protocol is in oidc-client.js. */

import { element, showClaims } from './claims.js'
import {
  authorizationRequest,
  decodeJwt,
  discover,
  FlowError,
  randomText,
  readAnswer,
  redeemCode,
  refresh,
  userInfo,
} from './oidc-client.js'

/** @typedef {import('./oidc-client.js').Tokens} Tokens */
/** @typedef {import('./oidc-client.js').Metadata} Metadata */

// The provider serves this page too: a client of your own has the issuer in its configuration.
const issuer = location.origin
const client = { client_id: 'demo', redirect_uri: `${issuer}/demo` }
const scope = 'openid profile email'

const WORDS = new Map([
  ['access_denied', 'You did not allow it, so nothing was shared.'],
  ['login_required', 'Nobody is signed in at the provider, and it was not allowed to ask. Sign in instead.'],
  ['consent_required', 'The provider needs your consent, and was not allowed to ask. Sign in instead.'],
  [
    'interaction_required',
    'The provider needs an answer of yours, and was not allowed to ask. Sign in instead.',
  ],
  [
    'invalid_grant',
    'The provider no longer accepts this: the session ended, or the token was used or revoked.',
  ],
  ['invalid_token', 'The provider no longer accepts the access token: it expired or was revoked.'],
  ['bad_answer', 'An answer arrived that this page did not ask for, so it was not used.'],
  ['bad_token', 'The token failed a check, so it was not used.'],
  ['unreachable', 'The provider does not answer. Is the server still running?'],
])

/** Gone when the tab is closed. */
const kept = {
  /** @param {string} name */
  read: (name) => JSON.parse(sessionStorage.getItem(`ostiary-demo.${name}`) ?? 'null'),
  /** @param {string} name @param {unknown} value */
  write: (name, value) => sessionStorage.setItem(`ostiary-demo.${name}`, JSON.stringify(value)),
  /** @param {string} name Read, and forgotten: good for one use. */
  take(name) {
    const value = kept.read(name)
    sessionStorage.removeItem(`ostiary-demo.${name}`)
    return value
  },
}

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`There is no element ${id}`)
  return found
}

/** @param {Record<string, string>} [parameters] */
async function signIn(parameters = {}) {
  const metadata = await discover(issuer)
  const { url, request } = await authorizationRequest(metadata, client, { scope, ...parameters })
  kept.write('request', request)
  location.assign(url)
}

/** @param {URLSearchParams} answer */
async function finishSignIn(answer) {
  const request = kept.take('request')
  const metadata = await discover(issuer)
  const code = readAnswer(metadata, request, answer)
  const { tokens } = await redeemCode(metadata, client, { code, request })
  await showSession(metadata, tokens, [
    `Read the discovery document of ${metadata.issuer}`,
    'Sent you to the authorization endpoint with state, nonce and a PKCE challenge (S256)',
    'Got a code back, and checked that state and iss are right',
    'Exchanged the code and the PKCE verifier for tokens',
    'Verified the ID token: signature, issuer, audience, expiry, nonce and at_hash',
    'Asked UserInfo with the access token',
  ])
}

async function refreshTokens() {
  const metadata = await discover(issuer)
  try {
    const { tokens } = await refresh(metadata, client, kept.read('tokens'))
    await showSession(metadata, tokens, [
      'Exchanged the refresh token for new tokens; the old refresh token is spent',
      'Verified the new ID token, which is about the same person',
      'Asked UserInfo with the new access token',
    ])
    say('New tokens have arrived.')
  } catch (error) {
    // These tokens have ended.
    if (error instanceof FlowError && error.code === 'invalid_grant') {
      kept.take('tokens')
      showSignedOut()
    }
    throw error
  }
}

/** OpenID Connect RP-Initiated Logout §2. Posted, so that the ID token stays out of addresses and logs. */
async function signOut() {
  const { end_session_endpoint } = await discover(issuer)
  const { id_token } = kept.take('tokens')
  const state = randomText()
  kept.write('logout', { state })
  const fields = { id_token_hint: id_token, client_id: client.client_id, state }
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: end_session_endpoint })
  for (const [name, value] of Object.entries({ ...fields, post_logout_redirect_uri: client.redirect_uri })) {
    const input = document.createElement('input')
    form.append(Object.assign(input, { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
}

/** @param {Metadata} metadata @param {Tokens} tokens @param {string[]} steps */
async function showSession(metadata, tokens, steps) {
  const claims = await userInfo(metadata, tokens)
  kept.write('tokens', tokens)
  kept.write('shown', { claims, steps })
  showTokens(tokens)
}

/** @param {Tokens} tokens */
function showTokens(tokens) {
  const { claims, steps } = kept.read('shown')
  const name = String(claims.name ?? claims.preferred_username ?? claims.sub)
  byId('name').textContent = name
  byId('initial').textContent = name.slice(0, 1).toUpperCase()
  byId('email').textContent = String(claims.email ?? '')
  showClaims(byId('userinfo'), claims)
  showClaims(byId('id-token'), decodeJwt(tokens.id_token).claims)
  showClaims(byId('access-token'), decodeJwt(tokens.access_token).claims)
  for (const name of /** @type {const} */ (['access_token', 'id_token', 'refresh_token']))
    byId(`raw-${name}`).textContent = tokens[name] ?? 'none'
  byId('steps').replaceChildren(...steps.map((/** @type {string} */ step) => element('li', step)))
  byId('signed-out').hidden = true
  byId('signed-in').hidden = false
  showExpiry()
}

function showSignedOut() {
  byId('signed-in').hidden = true
  byId('signed-out').hidden = false
}

function showExpiry() {
  const tokens = /** @type {Tokens | null} */ (kept.read('tokens'))
  if (!tokens) return
  const left = Math.max(0, tokens.expires_at - Math.floor(Date.now() / 1000))
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  byId('expiry').textContent = left > 0 ? `valid for ${clock}` : 'expired: refresh the tokens'
}

/** The places for messages are always there, or screen readers would miss what appears in them. @param {string} text */
function say(text) {
  byId('error').replaceChildren()
  byId('message').replaceChildren(...(text === '' ? [] : [note('note success', element('span', text))]))
}

/** @param {unknown} error */
function showError(error) {
  const known = error instanceof FlowError ? error : new FlowError('unexpected', String(error))
  const text = WORDS.get(known.code) ?? 'Something went wrong.'
  const detail = [known.code, known.message].filter(Boolean).join(': ')
  byId('message').replaceChildren()
  byId('error').replaceChildren(note('note', element('strong', text), element('small', detail)))
}

/** @param {string} className @param {Element[]} parts */
function note(className, ...parts) {
  const made = element('p', '')
  made.className = className
  made.append(...parts)
  return made
}

/** One thing at a time, and its error in words. @param {() => Promise<void>} action */
async function run(action) {
  const buttons = [...document.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  try {
    say('')
    await action()
  } catch (error) {
    showError(error)
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

async function open() {
  const answer = new URLSearchParams(location.search)
  // The code is good for one use: out of the address before anything else can see it.
  history.replaceState(null, '', location.pathname)
  const tokens = kept.read('tokens')
  if (tokens) showTokens(tokens)
  else showSignedOut()
  if (answer.has('code') || answer.has('error')) return run(() => finishSignIn(answer))
  const logout = kept.take('logout')
  if (logout !== null && answer.get('state') === logout.state) say('You are signed out.')
}

for (const button of document.querySelectorAll('.sign-in'))
  button.addEventListener('click', () => run(signIn))
for (const button of document.querySelectorAll('.silent'))
  button.addEventListener('click', () => run(() => signIn({ prompt: 'none' })))
byId('refresh').addEventListener('click', () => run(refreshTokens))
byId('sign-out').addEventListener('click', () => run(signOut))
setInterval(showExpiry, 1000)
await open()
