/** Shows claims in words: a list of name, value and meaning. Everything is set as text, never as HTML. */

/** @type {Record<string, string>} */
const MEANING = {
  iss: 'The provider that issued it',
  sub: 'Who it is about: stable, and never given to anybody else',
  aud: 'Who it is meant for',
  azp: 'The client that asked for it',
  client_id: 'The client that may use it',
  exp: 'Not valid from this moment on',
  iat: 'When it was issued',
  nbf: 'Not valid before this moment',
  jti: 'Its own number',
  auth_time: 'When you signed in',
  nonce: 'Ties it to the request of this page',
  at_hash: 'Ties it to the access token',
  sid: 'Your session at the provider',
  amr: 'How you signed in',
  acr: 'How strong that was',
  scope: 'What it allows',
  name: 'Your full name',
  given_name: 'Your first name',
  family_name: 'Your last name',
  preferred_username: 'The name you sign in with',
  email: 'Your email address',
  email_verified: 'Whether that address is known to be yours',
  locale: 'Your language',
  updated_at: 'When any of this last changed',
}

const TIMES = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at'])

/**
 * Replaces the entries of a `<dl>`.
 * @param {Element} list
 * @param {Record<string, unknown>} claims
 */
export function showClaims(list, claims) {
  list.replaceChildren(
    ...Object.entries(claims).map(([name, value]) => {
      const row = document.createElement('div')
      row.append(element('dt', name), element('dd', shown(value)))
      const meaning = [TIMES.has(name) ? moment(Number(value)) : '', MEANING[name] ?? '']
      const text = meaning.filter(Boolean).join(' · ')
      if (text !== '') row.append(element('dd', text))
      return row
    }),
  )
}

/** @param {number} seconds */
export const moment = (seconds) =>
  new Date(seconds * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** @param {unknown} value */
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * @param {string} name
 * @param {string} text
 */
export function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
