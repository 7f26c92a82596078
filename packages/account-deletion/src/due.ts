/** Deletes the accounts whose time has come. */

import type { Management, Provider } from '@ostiary/core'
import type { Ticket } from '@ostiary/identity'
import type { Place } from './place.js'
import { dueAt } from './request-record.js'

/** Requests that one round reads of a realm: the next round goes on after them. */
const MAX_REQUESTS = 500
/** Seconds between two rounds. */
const ROUND_SECONDS = 60

/** A work in the background. */
export interface DueDeletions {
  /** Begins a round, unless one is under way or the last one was less than a minute ago. One process at a time calls it. */
  start(provider: Pick<Provider, 'manage'>, options: DueOptions): void
  /** Resolves when no round is under way. */
  settled(): Promise<void>
}

/** What a round is told. */
export interface DueOptions {
  /** Epoch seconds. */
  now: () => number
  /** Told of what failed; the next round tries it again. */
  failed: (error: unknown) => void
}

export function dueDeletions(place: Place, realms: readonly string[]): DueDeletions {
  /** By realm: the last user of the page before. */
  const cursors = new Map<string, string>()
  let running: Promise<void> | null = null
  let next_round = 0

  async function round(provider: Pick<Provider, 'manage'>, { now, failed }: DueOptions): Promise<void> {
    for (const realm of realms) {
      const after = cursors.get(realm)
      const tickets = place.tickets(realm)
      const page = await tickets.list({
        purpose: 'delete',
        limit: MAX_REQUESTS,
        ...(after !== undefined && { after }),
      })
      const last = page.at(-1)
      if (last === undefined || page.length < MAX_REQUESTS) cursors.delete(realm)
      else cursors.set(realm, last.sub)
      for (const ticket of page.filter((each) => dueAt(each) <= now() && now() < each.expires_at))
        await deleteAccount({ ...place, realm, manage: () => provider.manage(realm), now }, ticket).catch(
          failed,
        )
    }
  }

  return {
    start(provider, options) {
      if (running !== null || options.now() < next_round) return
      next_round = options.now() + ROUND_SECONDS
      running = round(provider, options)
        .catch(options.failed)
        .finally(() => {
          running = null
        })
    },
    settled: async () => void (await running),
  }
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
