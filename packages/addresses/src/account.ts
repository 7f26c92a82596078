/** The forms of the account page: an address is to be confirmed, and what waits ends. */

import { randomBytes } from 'node:crypto'
import { addressIn, isAddress, usernameKey } from '@ostiary/core/common'
import type { AccountVisit, Mails } from '@ostiary/identity'
import { verifyLetters } from './letters.js'
import { LINK_SECONDS, PATH, pendingOf, urlOf, type VerifyLink, verifyHash } from './link.js'
import { textsOf } from './texts.js'
import { followsAddress } from './username.js'

/** Links that one account asks for in an hour. The mails to one address, and from one network, have limits of their own. */
const MAX_REQUESTS = 5
const WINDOW_SECONDS = 3600

interface Form {
  action: string
  params: URLSearchParams
}

/** Null for a form that is not of this section, or not whole. */
export async function act(c: AccountVisit, mails: Mails, { action, params }: Form): Promise<Response | null> {
  switch (action) {
    case 'change_address':
      return change(c, mails, params)
    case 'verify_address':
      return verify(c, mails, params)
    case 'keep_address':
      return keep(c, mails)
    default:
      return null
  }
}

/** The answer is the same for an address that another account has, and one that none has. */
async function change(c: AccountVisit, mails: Mails, params: URLSearchParams): Promise<Response | null> {
  const [typed, ...more] = params.getAll('address')
  if (typed === undefined || more.length > 0) return null
  const to = addressIn(typed)
  const { no_address, elsewhere } = textsOf(c.language.tag)
  const is_elsewhere = to !== null && c.isElsewhere({ username: to, claims: { email: to } })
  if (to === null || is_elsewhere) {
    const text = is_elsewhere ? elsewhere : no_address
    return c.refuse('change_address', { reason: 'bad_address', status: 422, text })
  }
  return request(c, mails, { params, to, form: { action: 'change_address', fields: { address: to } } })
}

/** The address that the account has. */
async function verify(c: AccountVisit, mails: Mails, params: URLSearchParams): Promise<Response | null> {
  const { email, email_verified } = c.user.claims
  if (!isAddress(email) || email_verified === true) return null
  return request(c, mails, { params, to: email, form: { action: 'verify_address', fields: {} } })
}

/** Ends the change that waits. Who can sign in can do that: it lets in none. */
async function keep(c: AccountVisit, mails: Mails): Promise<Response> {
  const pending = await pendingOf(mails, c.user, c.now())
  if (pending !== null && (await mails.tickets.take(pending.ticket_hash)))
    c.emit({ type: 'address.removed', sub: c.user.sub })
  return c.redirect(`${c.realm.urls.issuer}/account`)
}

interface Asked {
  params: URLSearchParams
  to: string
  form: Parameters<AccountVisit['fresh']>[1]
}

/** Mails the link. A newer one ends the one before. */
async function request(c: AccountVisit, mails: Mails, { params, to, form }: Asked): Promise<Response> {
  const texts = textsOf(c.language.tag)
  const fresh = await c.fresh(params, form)
  if (fresh instanceof Response) return fresh
  if (fresh === null)
    return c.refuse(form.action, { reason: 'not_fresh', status: 403, text: texts.not_fresh })
  const { sub, credential_version } = c.user
  const { cookies } = fresh
  if ((await c.count([{ name: sub, maximum: MAX_REQUESTS }], WINDOW_SECONDS)) !== null)
    return c.refuse(form.action, { reason: 'throttled', status: 429, text: texts.throttled, cookies })
  const created_at = c.now()
  const expires_at = created_at + LINK_SECONDS
  const secret = randomBytes(32).toString('base64url')
  const link: VerifyLink = { does: 'verify', sub, secret, to, expires_at }
  const letters = verifyLetters(c, { to, url: urlOf(c, link), may_be_taken: takesName(c.user, to) })
  // The page does not tell that a limit of the address or of the network is reached.
  if (await mails.send({ to, by: sub, letters, expires_at })) {
    const ticket_hash = verifyHash(mails, link)
    await mails.tickets.put({
      ticket_hash,
      purpose: 'verify',
      sub,
      credential_version,
      created_at,
      expires_at,
    })
    c.emit({ type: 'address.requested', sub })
  }
  return c.redirect(`${c.realm.urls.issuer}${PATH}?sent`, cookies)
}

const takesName = (user: AccountVisit['user'], to: string): boolean =>
  followsAddress(user) && usernameKey(to) !== user.username_key
