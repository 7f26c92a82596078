/** What the buttons of the links do. */

import { isAddress, usernameKey } from '@ostiary/core/common'
import type { Arrival, Mails, Ticket, User } from '@ostiary/identity'
import { changedLetter, undoneLetter } from './letters.js'
import {
  type GoodLink,
  isCurrent,
  LINK_SECONDS,
  openUndo,
  PATH,
  pendingOf,
  type UndoLink,
  undoHash,
  urlOf,
  type VerifyLink,
} from './link.js'
import { badLinkPage, takenPage } from './pages.js'
import { followsAddress, usernameAfter } from './username.js'

/** The address counts from now on. */
export async function confirm(c: Arrival, good: GoodLink<VerifyLink>): Promise<Response> {
  const { link, mails, ticket, user } = good
  const { sub, to } = link
  const refuse = (reason: 'changed_meanwhile' | 'name_taken') => {
    c.emit({ type: 'address.refused', reason, sub })
    return reason === 'name_taken' ? takenPage(c) : badLinkPage(c)
  }
  if ((await mails.tickets.take(ticket.ticket_hash)) === null) return refuse('changed_meanwhile')
  const undoing = user.claims.email === to ? null : await undoOf(c, mails, user)
  // Before the change, so that a further one at the same moment finds it. Of an address that is not stored, it undoes nothing.
  if (undoing?.is_new) await mails.tickets.put(undoTicket(mails, user, { ...undoing, email: to }))
  const change = await store(c, { sub, to, is_possible: (stored) => isCurrent(ticket, stored, c.now()) })
  if (!('former' in change)) return refuse(change.reason)
  const { former } = change
  const { email } = former.claims
  if (email === to) c.emit({ type: 'address.verified', sub })
  else {
    // After the change: until then, the undo is that of the address before.
    if (undoing?.is_new === false)
      await mails.tickets.put(undoTicket(mails, former, { ...undoing, email: to }))
    await tellFormer(c, mails, { former, undoing })
    c.emit({ type: typeof email === 'string' ? 'address.changed' : 'address.added', sub })
  }
  return c.redirect(`${c.realm.urls.issuer}${PATH}?changed`)
}

interface Stored {
  sub: string
  to: string
  is_possible(stored: User): boolean
  /** Of an undo: null where it stays. */
  username?: string | null
}

type Change = { former: User } | { reason: 'changed_meanwhile' | 'name_taken' }

/** The address, its verification and the username that is the address change in one write, which compares the record. */
async function store(c: Arrival, { sub, to, is_possible, username = to }: Stored): Promise<Change> {
  const found: { former: User | null } = { former: null }
  const is_stored = await c.updateUser(sub, (stored) => {
    found.former = is_possible(stored) ? stored : null
    if (found.former === null) return {}
    const claims = { ...stored.claims, email: to, email_verified: true }
    return { claims, ...(username !== null && followsAddress(stored) && { username }) }
  })
  if (found.former === null) return { reason: 'changed_meanwhile' }
  if (is_stored) return { former: found.former }
  const owner = username === null ? null : await c.users.findByUsername(usernameKey(username) ?? '')
  return { reason: owner !== null && owner.sub !== sub ? 'name_taken' : 'changed_meanwhile' }
}

const isVerified = ({ claims: { email, email_verified } }: User): boolean =>
  email_verified === true && isAddress(email)

interface Undoing extends Pick<Ticket, 'created_at' | 'expires_at'> {
  /** False: of an earlier change. */
  is_new: boolean
}

/**
 * The undo of a change from the address that the user has. Of several changes in seven days, the first one alone can be undone, with all later
 * ones: otherwise who has taken over the account could end the owner's undo with a second change, or undo it again. Null where
 * no former address is verified.
 */
async function undoOf(c: Arrival, mails: Mails, user: User): Promise<Undoing | null> {
  const now = c.now()
  const open = await openUndo(mails, user, now)
  if (open !== null) return { ...open, is_new: false }
  return isVerified(user) ? { created_at: now, expires_at: now + LINK_SECONDS, is_new: true } : null
}

async function tellFormer(
  c: Arrival,
  mails: Mails,
  { former, undoing }: { former: User; undoing: Undoing | null },
): Promise<void> {
  if (undoing === null || !isVerified(former)) return
  const { created_at, expires_at, is_new } = undoing
  const { sub, username, claims } = former
  const to = String(claims.email)
  const former_name = followsAddress(former) ? username : null
  const link: UndoLink = { does: 'undo', sub, to, username: former_name, created_at, expires_at }
  const letter = changedLetter(c, { username, url: is_new ? urlOf(c, link) : null })
  // An attacker must not use up the limits before. The links to new addresses are limited.
  await mails.send({ to, by: sub, letters: [letter, letter], expires_at, uncounted: true })
}

const undoTicket = (
  mails: Mails,
  { sub, credential_version }: User,
  { created_at, expires_at, email }: Pick<Ticket, 'created_at' | 'expires_at'> & { email: unknown },
): Ticket => ({
  ticket_hash: undoHash(mails, { sub, created_at, expires_at }, email),
  purpose: 'undo',
  sub,
  credential_version,
  created_at,
  expires_at,
})

/** Brings back the former address, and ends what the account has given to browsers and applications. */
export async function undo(c: Arrival, { link, mails }: GoodLink<UndoLink>): Promise<Response> {
  const { sub, to, expires_at } = link
  const refuse = () => {
    c.emit({ type: 'address.refused', reason: 'changed_meanwhile', sub })
    return badLinkPage(c)
  }
  if (!(await takeUndo(c, mails, link))) return refuse()
  const change = {
    sub,
    to,
    is_possible: ({ disabled_at }: User) => disabled_at === null,
    username: link.username,
  }
  const first = await store(c, change)
  // Another account has the former name since: the address comes back without it.
  const done =
    'former' in first || first.reason !== 'name_taken' ? first : await store(c, { ...change, username: null })
  if (!('former' in done)) {
    // Others change the account all the time, perhaps on purpose: the link stays good.
    const user = await c.users.find(sub)
    if (user !== null) await mails.tickets.put(undoTicket(mails, user, { ...link, email: user.claims.email }))
    return refuse()
  }
  const { former } = done
  const pending = await pendingOf(mails, former, c.now())
  if (pending !== null) await mails.tickets.take(pending.ticket_hash)
  await c.endAccess(sub)
  c.emit({ type: 'address.undone', sub })
  const { email } = former.claims
  const letter = undoneLetter(c, usernameAfter(former, done === first ? link.username : null))
  for (const one of new Set([to, email]))
    if (isAddress(one))
      await mails.send({ to: one, by: sub, letters: [letter, letter], expires_at, uncounted: true })
  return c.redirect(`${c.realm.urls.issuer}${PATH}?undone`)
}

/** A further change of the address at the same moment gives the ticket another hash. */
const MAX_TRIES = 3

async function takeUndo(c: Arrival, mails: Mails, link: UndoLink): Promise<boolean> {
  const { tickets } = mails
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const user = await c.users.find(link.sub)
    const ticket_hash = undoHash(mails, link, user?.claims.email)
    if ((await tickets.find(ticket_hash)) === null) return false
    if ((await tickets.take(ticket_hash)) !== null) return true
  }
  return false
}
