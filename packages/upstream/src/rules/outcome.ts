/** What a round trip has led to. */

import type { Link, LinkStore, User, UserStore } from '@ostiary/identity'
import type { UpstreamReason } from '../refusal.js'

/** A browser that has come back from the upstream with this id. */
export interface UpstreamArrival {
  id: string
  users: UserStore
  links: LinkStore
  /** Null for a sign-in; otherwise the user that is signed in, as it was when the round trip began. */
  signed_in: { user: User; adds_link: boolean } | null
  /** True for the first caller with this key, for so many seconds. */
  claim(key: string, seconds: number): Promise<boolean>
  /** Epoch seconds. */
  now: number
}

export interface UpstreamSuccess {
  user: User
  /** The link that was used, or added. */
  link: Link
  /** What has happened: for events. */
  added: 'link' | 'user' | null
  /** Whether the user is asked for a second factor of this server too. */
  second_factor: boolean
  /** The claim of groups was too long: the groups stay. */
  ignores_groups: boolean
  /** Of a session that begins now: by them the upstream ends it. */
  marks: readonly string[]
}

export interface UpstreamRefused {
  reason: UpstreamReason
  sub: string | null
}

export type UpstreamOutcome = UpstreamSuccess | UpstreamRefused
