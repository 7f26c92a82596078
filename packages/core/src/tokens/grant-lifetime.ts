/** When a grant and its refresh tokens end: with the session, or with `offline_access` by limits of their own; or by revocation. */

import type { RealmContext } from '../realm/context.js'
import { longestTokenLifetime } from '../realm/realm.js'
import type { Client, Grant, Session } from '../storage/storage.js'

/** The `expires_at` of a grant that begins now. */
export function firstGrantEnd(c: RealmContext, session: Session, offline: boolean): number {
  const { refresh_token, offline_absolute } = c.realm.settings.tokens
  return offline ? c.now() + Math.min(refresh_token, offline_absolute) : session.expires_at
}

/**
 * The end of tokens that are issued now: at the latest the end of the session or, offline, `oidc.tokens.offline_absolute`
 * after the grant began.
 * @param lifetime Seconds.
 */
export function tokenEnd(c: RealmContext, grant: Grant, lifetime: number): number {
  const { offline_absolute } = c.realm.settings.tokens
  const last = grant.offline ? grant.created_at + offline_absolute : grant.expires_at
  return Math.min(c.now() + lifetime, last)
}

/** The setting `oidc.tokens.offline_absolute` counts as it is now: an operator may have shortened it. */
export function hasGrantEnded(c: RealmContext, grant: Grant): boolean {
  const { offline_absolute } = c.realm.settings.tokens
  return grant.expires_at <= c.now() || (grant.offline && grant.created_at + offline_absolute <= c.now())
}

/**
 * Whether the grant was revoked, alone or with all grants of its client. A deletion of a client marks the client first, and revokes
 * its grants one by one afterwards.
 * @param client That of the grant; null: it is not stored, and has no mark.
 */
export function isRevoked({ revoked_at, created_at }: Grant, client: Client | null): boolean {
  const not_before = client?.not_before ?? null
  return revoked_at !== null || (not_before !== null && created_at <= not_before)
}

/**
 * Seconds that an access token of this client is valid. A stored lifetime that is longer than the settings allow now is cut:
 * signing keys stay published for the longest allowed lifetime only.
 * @param usual Seconds, of a client without a lifetime of its own.
 */
export const accessTokenLifetime = (c: RealmContext, client: Client, usual: number): number =>
  Math.min(client.access_token_lifetime ?? usual, longestTokenLifetime(c.realm.settings))
