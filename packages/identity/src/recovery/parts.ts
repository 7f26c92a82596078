import { type Realm, type ReplayStore, sha256 } from '@ostiary/core'
import type { RecoveryParts } from '../sign-in/context.js'
import { createRecoveryStates } from '../sign-in/recovery-state.js'
import type { Tickets } from '../users/ticket-store.js'
import { createSealer } from '../web/sealed.js'

interface RecoveryOptions {
  tickets?: Tickets
  replays?: (realm: string) => ReplayStore
  secret: string
  previous_secret?: string
  /** Epoch seconds. */
  now: () => number
}

/** What the page of tickets has in a realm. Null without a store. */
export function createRecoveryParts(options: RecoveryOptions): ((realm: Realm) => RecoveryParts) | null {
  const { tickets, replays, now } = options
  if (tickets === undefined || replays === undefined) return null
  const states = createRecoveryStates(createSealer(options, 'recovery'))
  return ({ id: realm }) => ({
    tickets: tickets(realm),
    states,
    claim: (id, expires_at) => replays(realm).claim(sha256(`recovery:${id}`), expires_at, now()),
  })
}
