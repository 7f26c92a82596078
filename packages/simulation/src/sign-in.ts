/** How a user could sign in: what the sign-in page offers, and which limits are reached. It only reads. */

import { usernameKey } from '@ostiary/core/common'
import type { Extension, Factor, Link, SignInSettings, User } from '@ostiary/identity'

/** Who signs in, and from where. */
export interface SignInInput {
  /** As it is typed. */
  username?: string | undefined
  /** The IP address. */
  address?: string | undefined
}

/** A counter of a limit. */
export interface SignInLimit {
  limit: string
  counted: number
  maximum: number
  /** Epoch seconds. */
  until: number
}

/** What is the same for all realms. */
export interface SignInSources {
  /** Those of `createIdentity`. */
  extensions: readonly Extension[]
  /** Of `@ostiary/identity`. */
  passkeysFor(passkeys: SignInSettings['passkeys'], factors: readonly Factor[]): Factor[]
}

/** What a realm has for sign-ins. */
export interface SignInPlace extends SignInSources {
  realm: string
  settings: SignInSettings
  users: { findByUsername(key: string): Promise<User | null> }
  factors: { list(sub: string): Promise<Factor[]> }
  /** Null in a realm without other providers. */
  links: { list(sub: string): Promise<Link[]> } | null
  /** Null in a realm where users do not sign in with an address. */
  addresses: { find(address: string): Promise<User | null> } | null
  throttles: { list(selection: { username?: string; address?: string }): Promise<readonly SignInLimit[]> }
}

/** A way to sign in. */
export interface SignInWay {
  /** `password`, `passkey`, or the id of one that an extension adds, such as that of another provider. */
  way: string
  /** Of another provider; null for the others. */
  name: string | null
}

/** What is known about the user who signs in. */
export type SignInUser =
  | { is_known: false }
  | {
      is_known: true
      sub: string
      username: string
      is_disabled: boolean
      /** Those of the page with which this user gets in. */
      ways: SignInWay[]
      /** Whether the sign-in asks for a second factor after a password. `to_be_added`: it does, and the user has none yet. */
      second_factor: 'none' | 'asked' | 'to_be_added'
      /** Epoch seconds: when the account is deleted, as its user has asked for. A sign-in leads to the offer to keep it. */
      deletes_at?: number
    }

/** How a user could sign in. */
export interface SignInOutcome {
  /** What the page of the realm offers. */
  ways: SignInWay[]
  /** The way to which the typed name leads, instead of the password; null for none. */
  leads_to: string | null
  /** Null when no name is given. */
  user: SignInUser | null
  /** The counters that are not zero. */
  limits: (SignInLimit & { is_reached: boolean })[]
}

export async function simulateSignIn(place: SignInPlace, input: SignInInput): Promise<SignInOutcome> {
  const { username, address } = input
  const user = username === undefined ? null : await typedUser(place, username)
  const selection = {
    // Counters are of the account, whichever of its names was typed.
    ...(username !== undefined && { username: user?.username ?? username }),
    ...(address !== undefined && { address }),
  }
  const limits = await place.throttles.list(selection)
  const leads = place.extensions.map((one) => one.leadsTo?.(place.realm, username ?? '') ?? null)
  return {
    ways: waysOf(place),
    leads_to: leads.find((way) => way !== null) ?? null,
    user: username === undefined ? null : await shownUser(place, user),
    limits: limits.map((limit) => ({ ...limit, is_reached: limit.counted >= limit.maximum })),
  }
}

async function typedUser({ users, addresses }: SignInPlace, username: string): Promise<User | null> {
  const key = usernameKey(username)
  if (key === null) return null
  return (await users.findByUsername(key)) ?? (await addresses?.find(key)) ?? null
}

const PASSWORD: SignInWay = { way: 'password', name: null }
const PASSKEY: SignInWay = { way: 'passkey', name: null }

const waysOf = ({ settings, extensions, realm }: SignInPlace): SignInWay[] => [
  ...(settings.password ? [PASSWORD] : []),
  ...(settings.passkeys === null ? [] : [PASSKEY]),
  ...extensions.flatMap((one) => one.offers?.(realm) ?? []),
]

async function shownUser(place: SignInPlace, user: User | null): Promise<SignInUser> {
  if (user === null) return { is_known: false }
  const { sub, username, disabled_at, password_hash } = user
  const { settings, extensions, realm } = place
  const [factors, links, ...deletions] = await Promise.all([
    place.factors.list(sub),
    place.links === null ? [] : place.links.list(sub),
    ...extensions.map((one) => one.deletesAt?.(realm, user) ?? null),
  ])
  const deletes_at = deletions.find((at) => at !== null)
  const is_elsewhere = extensions.some((one) => one.replacesPassword?.(realm, user))
  const has: Record<string, boolean> = {
    password: password_hash !== null && !is_elsewhere,
    passkey: place.passkeysFor(settings.passkeys, factors).length > 0,
  }
  return {
    is_known: true,
    sub,
    username,
    is_disabled: disabled_at !== null,
    ways: waysOf(place).filter(({ way }) => has[way] ?? isOf(way, user, { links, is_elsewhere })),
    second_factor: secondFactor(place, user, factors),
    ...(deletes_at && { deletes_at }),
  }
}

/** Whether a way that an extension adds is one of the user. */
const isOf = (
  way: string,
  { claims }: User,
  { links, is_elsewhere }: { links: readonly Link[]; is_elsewhere: boolean },
): boolean =>
  way === 'email-code'
    ? claims.email_verified === true && !is_elsewhere
    : links.some(({ upstream }) => upstream === way)

function secondFactor(
  { settings }: SignInPlace,
  { second_step }: User,
  factors: readonly Factor[],
): 'none' | 'asked' | 'to_be_added' {
  const { second_factor, passkeys } = settings
  const is_offered = passkeys !== null || second_factor !== 'off'
  if (!is_offered || !(second_factor === 'required' || second_step)) return 'none'
  return factors.some(({ kind }) => kind !== 'recovery') ? 'asked' : 'to_be_added'
}
