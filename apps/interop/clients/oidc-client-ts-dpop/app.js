/** A single-page application whose tokens are bound to a key of the browser, which no script can export. */

import { IndexedDbDPoPStore, UserManager } from 'oidc-client-ts'

const issuer = 'http://localhost:3000'
const api = 'http://localhost:4001/notes'
const users = new UserManager({
  authority: issuer,
  client_id: 'single-page-app',
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email notes.read',
  resource: api,
  dpop: { store: new IndexedDbDPoPStore(), bind_authorization_code: true },
})

const nonces = new Map() // the newest of each origin

/** Sends a request with the access token and a proof of the key; once more when the server asks for a nonce. */
async function send(url, method = 'GET', retry = true) {
  const { origin } = new URL(url)
  const user = await users.getUser()
  const authorization = `DPoP ${user.access_token}`
  const dpop = await users.dpopProof(url, user, method, nonces.get(origin))
  const response = await fetch(url, { method, headers: { authorization, dpop } })
  const nonce = response.headers.get('dpop-nonce')
  if (nonce !== null) nonces.set(origin, nonce)
  if (response.status === 401 && nonce !== null && retry) return send(url, method, false)
  return response
}

const element = (id) => document.getElementById(id)

function show(user) {
  element('user').textContent = user ? `Hello ${user.profile.name}!` : 'You are not signed in.'
  element('sign-in').hidden = user !== null
  element('load-notes').hidden = user === null
  element('load-user-info').hidden = user === null
  element('sign-out').hidden = user === null
}

// At the redirect URI, the address bar has the code: exchange it, then remove it from the address.
if (location.pathname === '/callback') {
  await users.signinCallback()
  history.replaceState({}, '', '/')
}
show(await users.getUser())
users.events.addUserLoaded(show) // after each refresh too
users.events.addUserUnloaded(() => show(null))
// The session at the provider has ended, or the access was revoked. Other errors, such as a lost network, are not final.
users.events.addSilentRenewError(({ error }) => {
  if (error === 'invalid_grant') users.removeUser()
})

element('sign-in').onclick = () => users.signinRedirect()
element('sign-out').onclick = () => users.signoutRedirect()

element('load-notes').onclick = async () => {
  const { notes } = await (await send(api)).json()
  element('notes').textContent = notes.join(', ')
}

element('load-user-info').onclick = async () => {
  const { email } = await (await send(await users.metadataService.getUserInfoEndpoint())).json()
  element('email').textContent = email
}
