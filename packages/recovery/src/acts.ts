/** What the forms do. */

import type { RecoveryVisit, Ticket, User } from '@ostiary/identity'
import { noticeLetter, overLetter } from './letters.js'
import { type CancelLink, cancelLinkIn, nextIn, notBefore, OPEN_SECONDS } from './link.js'
import { badLinkPage, PATH, type Refused } from './pages.js'
import { showCancel, showTicket } from './show.js'

/** A form that was sent. */
interface Posted {
  form: URLSearchParams
  /** Empty when it is absent. */
  field(name: string): string
  /** Null when its token is that of this browser. */
  refused: Refused | null
  /** Of the realm, in seconds. */
  delay: number
}

/** The part of the delay after which its user is reminded. */
const REMIND_AFTER = 0.75

/** The link of a mail and a recovery code, together: either alone is not enough. */
export async function postCode(c: RecoveryVisit, { form, field, refused, delay }: Posted): Promise<Response> {
  const t = field('t')
  const shown = { t, delay, refused }
  const good = await c.ticketIn(t)
  if (good?.ticket.purpose !== 'regain') return badLinkPage(c)
  if (refused !== null) return showTicket(c, shown)
  const wrong = await c.useCode(good.user, form)
  if (wrong !== null) return showTicket(c, { ...shown, refused: wrong })
  const taken = await c.ticketIn(t, true)
  if (taken === null) return badLinkPage(c)
  await endFormer(c, taken.user)
  return c.begin(taken.user, 'code')
}

/** Begins the delay, of which the owner is told at once, and before it ends. */
export async function startWaiting(c: RecoveryVisit, { field, refused, delay }: Posted): Promise<Response> {
  const t = field('t')
  if ((await c.ticketIn(t))?.ticket.purpose !== 'regain') return badLinkPage(c)
  if (refused !== null) return showTicket(c, { t, delay, refused })
  const taken = await c.ticketIn(t, true)
  if (taken === null) return badLinkPage(c)
  const not_before = await wait(c, taken.user, delay)
  return c.redirect(`${c.realm.urls.issuer}${PATH}?${new URLSearchParams({ until: c.seal(not_before) })}`)
}

/** @returns When the recovery can begin. */
async function wait(c: RecoveryVisit, user: User, delay: number): Promise<number> {
  const former = await endFormer(c, user)
  const now = c.now()
  // A newer recovery ends an older one, and does not wait longer.
  const kept = former === null ? now + delay : Math.min(now + delay, notBefore(former))
  const linkUntil = (not_before: number) => c.link(user, not_before + OPEN_SECONDS - now)
  let link = await linkUntil(kept)
  let not_before = kept
  if (former !== null && !(await c.claim(endOf(former.ticket_hash), former.expires_at))) {
    // The older one was cancelled at the same moment: this one has a delay of its own.
    not_before = now + delay
    link = await linkUntil(not_before)
  }
  c.emit({ type: 'recovery.requested', sub: user.sub, until: not_before })
  await mailAll(c, { user, not_before, ...link }, delay)
  return not_before
}

/** The recovery that has waited until now. Null when there is none, or another call has ended it. */
async function endFormer(c: RecoveryVisit, user: User): Promise<Ticket | null> {
  const former = await c.waiting(user)
  if (former === null || !(await c.end(former))) return null
  c.emit({ type: 'recovery.cancelled', sub: user.sub, reason: 'newer' })
  return former
}

interface Waiting {
  user: User
  not_before: number
  url: string
  ticket_hash: string
}

/** The three mails are queued together: to stop the later ones, the recovery has to be ended. */
async function mailAll(
  c: RecoveryVisit,
  { user, not_before, url, ticket_hash }: Waiting,
  delay: number,
): Promise<void> {
  const now = c.now()
  const expires_at = not_before + OPEN_SECONDS
  const sealed: CancelLink = { sub: user.sub, waits: ticket_hash, expires_at }
  const cancel_url = `${c.realm.urls.issuer}${PATH}?${new URLSearchParams({ c: c.seal(sealed) })}`
  const waiting = { user, not_before, expires_at, cancel_url }
  const when = [c.time(now, user), c.device()].filter((part) => part !== '').join(', ')
  const notice = noticeLetter(c, waiting, when)
  await c.send(user, { letter: notice, ticket_hash, due_at: now })
  const remind_at = Math.ceil(not_before - delay * (1 - REMIND_AFTER))
  if (remind_at > now) await c.send(user, { letter: notice, ticket_hash, due_at: remind_at })
  // Who has read the mailbox at the beginning alone does not have this link.
  const due_at = Math.max(now, not_before)
  await c.send(user, { letter: overLetter(c, waiting, url), ticket_hash, due_at })
}

/** The link of the last mail: the delay is over. */
export async function begin(c: RecoveryVisit, { field, refused, delay }: Posted): Promise<Response> {
  const t = field('t')
  const good = await c.ticketIn(t)
  if (good?.ticket.purpose !== 'wait' || c.now() < notBefore(good.ticket)) return badLinkPage(c)
  if (refused !== null) return showTicket(c, { t, delay, refused })
  const taken = await c.ticketIn(t, true)
  return taken === null ? badLinkPage(c) : c.begin(taken.user, 'delay')
}

/** With the link in the mails. */
export async function cancel(c: RecoveryVisit, { field, refused }: Posted): Promise<Response> {
  const text = field('c')
  const link = cancelLinkIn(c, text)
  const user = link && (await c.users.find(link.sub))
  if (!user) return badLinkPage(c)
  if (refused !== null) return showCancel(c, text, refused)
  const ended = await endWaiting(c, user, { reason: 'not_me', waits: link.waits })
  return c.redirect(`${c.realm.urls.issuer}${PATH}?${ended ? 'cancelled' : 'none'}=`)
}

/** In a session of the user, on the account page or before a sign-in goes on. */
export async function endInSession(c: RecoveryVisit, { field, refused }: Posted): Promise<Response> {
  const user = await c.signedIn()
  if (!user) return badLinkPage(c)
  const next = field('next')
  const location = nextIn(c, next)
  // What waits is shown again.
  if (refused !== null && location !== null)
    return c.redirect(`${c.realm.urls.issuer}${PATH}?${new URLSearchParams({ next })}`)
  if (refused === null) await endWaiting(c, user, { reason: 'session', waits: field('waits') })
  return c.redirect(location ?? `${c.realm.urls.issuer}/account`)
}

/** What a cancellation claims, so that a newer recovery that begins at the same moment is seen by it. */
const endOf = (ticket_hash: string): string => `end ${ticket_hash}`

/** False when none waits. */
async function endWaiting(
  c: RecoveryVisit,
  user: User,
  { reason, waits }: { reason: 'not_me' | 'session'; waits: string },
): Promise<boolean> {
  await c.claim(endOf(waits), c.now() + OPEN_SECONDS)
  // Another call may have ended it for a newer one, which is cancelled too.
  for (let waiting = await c.waiting(user); waiting !== null; waiting = await c.waiting(user)) {
    if (!(await c.end(waiting))) continue
    c.emit({ type: 'recovery.cancelled', sub: user.sub, reason })
    return true
  }
  return false
}
