/** What signs users in at other providers, as this package knows it: `createUpstreams` of `@ostiary/upstream` makes it. */

import type { Realm } from '@ostiary/core'
import type { UpstreamReason } from '../../events.js'
import type { Link, LinkStore } from '../../users/link-store.js'
import type { User, UserStore } from '../../users/user-store.js'

/** A provider at which users of a realm sign in. */
export interface UpstreamName {
  /** At most 32 characters of `a-z`, `0-9` and `-`: a part of its paths. */
  id: string
  /** For users. */
  name: string
}

/** A round trip that begins. */
export interface UpstreamStart {
  realm: Realm
  id: string
  redirect_uri: string
  /** The address that the user has typed. */
  login_hint: string | null
  /** The user is signed in, and proves it again. */
  fresh: boolean
}

/** A browser that has come back. */
export interface UpstreamArrival {
  realm: Realm
  id: string
  redirect_uri: string
  /** What `begin` returned. */
  secrets: UpstreamSecrets
  /** The query. */
  params: URLSearchParams
  users: UserStore
  links: LinkStore
  /** Null for a sign-in; otherwise the user that is signed in, as it was when the round trip began. */
  signed_in: { user: User; adds_link: boolean } | null
  /** True for the first caller with this key, for so many seconds. */
  claim(key: string, seconds: number): Promise<boolean>
  /** Epoch seconds. */
  now: number
}

/** Random values of a round trip: the browser keeps them sealed. */
export interface UpstreamSecrets {
  state: string
  nonce: string
  code_verifier: string
}

export type UpstreamOutcome =
  | {
      user: User
      /** The link that was used, or added. */
      link: Link
      /** What has happened: for events. */
      added: 'link' | 'user' | null
      /** Whether the user is asked for a second factor of this server too. */
      second_factor: boolean
    }
  | UpstreamRefused

export interface UpstreamRefused {
  reason: UpstreamReason
  sub: string | null
}

/** The texts of the pages, in one language. */
export interface UpstreamTexts {
  /** E.g. "Sign in with Google". */
  sign_in(name: string): string
  /** The page of a refused sign-in. */
  refused(reason: UpstreamReason, name: string): { title: string; sentences: string[] }
  /** The section of the account page. */
  title: string
  hint: string
  add(name: string): string
  remove: string
  /** Of a link whose provider is not in the configuration any more. */
  unused: string
  last_way_in: string
  /** Back to the sign-in. */
  back: string
  /** To a user who signed in too long ago, where the account has no other proof. */
  not_fresh: string
}

/** The option `upstreams` of `createIdentity`. */
export interface Upstreams {
  /** Those of a realm, in the order of their buttons. */
  of(realm: string): readonly UpstreamName[]
  /** The id of the provider that a typed name leads to: the same for known and unknown names. Null: the password is asked for. */
  leadsTo(realm: string, username: string): string | null
  begin(start: UpstreamStart): Promise<{ location: string; secrets: UpstreamSecrets } | UpstreamRefused>
  finish(arrival: UpstreamArrival): Promise<UpstreamOutcome>
  /** English for a language that it has no texts in. @param language BCP 47. */
  texts(language: string): UpstreamTexts
}
