/** Deletes the accounts whose time has come. */

import type { Management, Provider } from '@ostiary/core'
import type { Ticket, TicketStore } from '@ostiary/identity'
import type { Place } from './place.js'
import { dueAt } from './request-record.js'

/** Requests that are read at once. */
const MAX_REQUESTS = 500
/** Seconds between two rounds: a divided database answers each with a statement for each bucket. */
const ROUND_SECONDS = 3600

/** A work in the background. */
export interface DueDeletions {
  /** Begins a round, unless one is under way or the last one was less than an hour ago. One process at a time calls it. */
  start(provider: Pick<Provider, 'manage'>, options: DueOptions): void
  /** Resolves when no round is under way. */
  settled(): Promise<void>
  /** Starts no more. Resolves when the account that is being deleted is. */
  stop(): Promise<void>
}

/** What a round is told. */
export interface DueOptions {
  /** Epoch seconds. */
  now: () => number
  /** Told of what failed; the next round tries it again. */
  failed: (error: unknown) => void
}

export function dueDeletions(place: Place, realms: readonly string[]): DueDeletions {
  let running: Promise<void> | null = null
  let next_round = 0
  let is_stopped = false

  async function round(provider: Pick<Provider, 'manage'>, { now, failed }: DueOptions): Promise<void> {
    for (const realm of realms)
      for await (const ticket of requestsOf(place.tickets(realm))) {
        if (is_stopped) return
        if (now() < dueAt(ticket) || now() >= ticket.expires_at) continue
        await deleteAccount({ ...place, realm, manage: () => provider.manage(realm), now }, ticket).catch(
          failed,
        )
      }
  }

  return {
    start(provider, options) {
      if (is_stopped || running !== null || options.now() < next_round) return
      next_round = options.now() + ROUND_SECONDS
      running = round(provider, options)
        .catch(options.failed)
        .finally(() => {
          running = null
        })
    },
    settled: async () => void (await running),
    async stop() {
      is_stopped = true
      await running
    },
  }
}

async function* requestsOf(tickets: TicketStore): AsyncGenerator<Ticket> {
  let page: Ticket[] = []
  do {
    const last = page.at(-1)
    page = await tickets.list({ purpose: 'delete', limit: MAX_REQUESTS, ...(last && { after: last.sub }) })
    yield* page
  } while (page.length === MAX_REQUESTS)
}

interface Deleting extends Place {
  realm: string
  manage: () => Promise<Management>
  /** Epoch seconds. */
  now: () => number
}

/**
 * The user is disabled first: no sign-in that is under way can leave a session, and none can keep the account any more. Who has kept it just
 * before is enabled again.
 */
async function deleteAccount(
  { users: of, tickets, isKept, setDisabled, realm, manage, now }: Deleting,
  { sub, ticket_hash }: Ticket,
): Promise<void> {
  const users = of(realm)
  const user = await users.find(sub)
  if (user === null || isKept(realm, user)) return
  const is_enabled = user.disabled_at === null
  if (is_enabled) await setDisabled(users, { sub, disabled: true }, { now })
  // Who has kept it may have asked again, for a later day.
  if ((await tickets(realm).findOf(sub, 'delete'))?.ticket_hash !== ticket_hash) {
    if (is_enabled) await setDisabled(users, { sub, disabled: false }, { now })
    return
  }
  await (await manage()).users.delete(sub)
  await users.delete(sub)
}
