/** A single-page application. A bundler, or the import map of index.html, finds the library. */

import { UserManager } from 'oidc-client-ts'

const users = new UserManager({
  authority: 'http://localhost:3000',
  client_id: 'single-page-app',
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email notes.read',
  resource: 'http://localhost:4001/notes',
  loadUserInfo: true,
})

const element = (id) => document.getElementById(id)

function show(user) {
  element('user').textContent = user ? `Hello ${user.profile.name}!` : 'You are not signed in.'
  element('sign-in').hidden = user !== null
  element('load-notes').hidden = user === null
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
  const { access_token } = await users.getUser()
  const headers = { authorization: `Bearer ${access_token}` }
  const response = await fetch('http://localhost:4001/notes', { headers })
  const { notes } = await response.json()
  element('notes').textContent = notes.join(', ')
}
