/** What GET and HEAD show. They change nothing. */

import type { RecoveryVisit } from '@ostiary/identity'
import { cancelLinkIn, nextIn, notBefore } from './link.js'
import {
  askPage,
  badLinkPage,
  beginPage,
  cancelledPage,
  cancelPage,
  earlyPage,
  interruption,
  nonePage,
  type Refused,
  waitingNote,
  waitsPage,
} from './pages.js'

/** @param delay Of the realm, in seconds. */
export async function show(c: RecoveryVisit, delay: number): Promise<Response> {
  const query = new URL(c.request.url).searchParams
  if (query.has('cancelled')) return cancelledPage(c)
  if (query.has('none')) return nonePage(c)
  if (query.has('next')) return showInterruption(c, query.get('next') ?? '')
  const link = query.get('c')
  if (link !== null) return showCancel(c, link)
  const until = query.has('until') ? Number(c.open(query.get('until') ?? '')) : 0
  if (until > 0) return waitsPage(c, until)
  return showTicket(c, { t: query.get('t') ?? '', delay })
}

interface ShownTicket {
  t: string
  delay: number
  refused?: Refused | null
}

/** The page of a link in a mail. */
export async function showTicket(
  c: RecoveryVisit,
  { t, delay, refused = null }: ShownTicket,
): Promise<Response> {
  const good = await c.ticketIn(t)
  if (good === null) return badLinkPage(c)
  const { ticket, user } = good
  if (ticket.purpose === 'regain') return askPage(c, { user, t, until: c.now() + delay }, refused)
  const not_before = notBefore(ticket)
  return c.now() < not_before ? earlyPage(c, not_before) : beginPage(c, { user, t }, refused)
}

/** The page of the link that cancels. */
export async function showCancel(
  c: RecoveryVisit,
  text: string,
  refused: Refused | null = null,
): Promise<Response> {
  const link = cancelLinkIn(c, text)
  const user = link && (await c.users.find(link.sub))
  return user ? cancelPage(c, { user, link: text }, refused) : badLinkPage(c)
}

/** After a sign-in: what waits is shown before it goes on. */
async function showInterruption(c: RecoveryVisit, next: string): Promise<Response> {
  const location = nextIn(c, next)
  if (location === null) return badLinkPage(c)
  const user = await c.signedIn()
  const waiting = user && (await c.waiting(user))
  if (!waiting) return c.redirect(location)
  const time = c.time(notBefore(waiting), user)
  return interruption(c, { user, location, note: waitingNote(c, { time, waits: waiting.ticket_hash, next }) })
}
