/** The page of the links. GET and HEAD show what a link does, and change nothing. */

import type { Arrival } from '@ostiary/identity'
import { confirm, undo } from './acts.js'
import { type GoodLink, isCurrent, linkIn, undoHash, verifyHash } from './link.js'
import {
  badLinkPage,
  donePage,
  otherUserPage,
  type Refused,
  sentPage,
  undoPage,
  verifyPage,
} from './pages.js'
import { usernameAfter } from './username.js'

export async function answerLink(c: Arrival): Promise<Response> {
  if (c.request.method === 'POST') return post(c)
  const query = new URL(c.request.url).searchParams
  if (query.has('sent')) return sentPage(c)
  if (query.has('changed')) return donePage(c, 'changed')
  if (query.has('undone')) return donePage(c, 'undone')
  const t = query.get('t') ?? ''
  const good = await find(c, t)
  return good instanceof Response ? good : show(c, good)
}

async function post(c: Arrival): Promise<Response> {
  const form = await c.form()
  if (form instanceof Response) return form
  const good = await find(c, form.get('t') ?? '')
  if (good instanceof Response) return good
  if (!c.isConfirmed(form.get('csrf_token') ?? '')) {
    c.emit({ type: 'address.refused', reason: 'csrf', sub: good.user.sub })
    return show(c, good, { text: c.text('sign_in.not_confirmed'), status: 403 })
  }
  const { link } = good
  return link.does === 'verify' ? confirm(c, { ...good, link }) : undo(c, { ...good, link })
}

function show(c: Arrival, { t, link, user }: GoodLink, refused: Refused | null = null): Response {
  const { to } = link
  return link.does === 'verify'
    ? verifyPage(c, { t, to, username: user.username }, refused)
    : undoPage(c, { t, to, username: usernameAfter(user, link.username) }, refused)
}

/** The page is the same for every link that does not work: it does not tell whether there is such an account. */
async function find(c: Arrival, t: string): Promise<GoodLink | Response> {
  const link = linkIn(c, t)
  const refuse = (reason: 'unknown_ticket' | 'changed_meanwhile') => {
    c.emit({ type: 'address.refused', reason, sub: link?.sub ?? null })
    return badLinkPage(c)
  }
  if (link === null || c.mails === null) return refuse('unknown_ticket')
  const { sub } = link
  const user = await c.users.find(sub)
  if (user === null || user.disabled_at !== null) return refuse('changed_meanwhile')
  const { mails } = c
  const hash = link.does === 'verify' ? verifyHash(mails, link) : undoHash(mails, link, user.claims.email)
  const ticket = await mails.tickets.find(hash)
  if (ticket === null) return refuse('unknown_ticket')
  if (link.does === 'verify' && (c.isElsewhere(user) || !isCurrent(ticket, user, c.now())))
    return refuse('changed_meanwhile')
  const signed_in = link.does === 'verify' ? await c.account() : null
  if (signed_in !== null && signed_in.user.sub !== sub) {
    c.emit({ type: 'address.refused', reason: 'other_user', sub })
    return otherUserPage(c, signed_in.user.username)
  }
  return { t, link, mails, ticket, user }
}
