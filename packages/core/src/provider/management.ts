/** The management of a realm, for the application and for an operator. */

import { endAccess, endSessions, revokeGrants } from '../authorize/end-access.js'
import { endSession, type SessionEnd } from '../authorize/end-session.js'
import { type ClientManagement, clientManagement } from '../clients/client-management.js'
import { isPublishBefore, MIN_PUBLISH_BEFORE } from '../config/config.js'
import { createSigningKey, signJwt } from '../crypto/keys.js'
import type { RealmContext } from '../realm/context.js'
import type { SessionEndReason } from '../realm/events.js'
import type { Consent, Grant, GrantsOfUser, Session, SigningAlgorithm } from '../storage/storage.js'
import { checkKeys, resealKeys } from '../tokens/reseal-keys.js'
import { type SecurityEvent, signSecurityEvent } from '../tokens/security-event.js'
import { currentKey, keyRing, reloadKeys } from '../tokens/signing-keys.js'

/** A signing key without its private part. */
export interface KeyInfo {
  kid: string
  alg: SigningAlgorithm
  /** Epoch seconds. */
  created_at: number
  signs_from: number
}

/**
 * Clients, consents, grants, sessions and keys of one realm. No method checks permissions: the caller must do so.
 */
export interface Management {
  clients: ClientManagement
  consents: {
    /** Revoked consents included. */
    list(sub: string): Promise<Consent[]>
    /**
     * Withdraws the user's consent to a client for one resource, or for all, and revokes the grants that it
     * covers, offline ones too. The next request asks for consent again. Returns the number of withdrawn rows.
     */
    revoke(selection: { sub: string; client_id: string; resource?: string }): Promise<number>
  }
  grants: {
    /** The user's grants that are neither revoked nor expired. */
    list(sub: string): Promise<Grant[]>
    /**
     * Revokes grants of a user: all of them, or those that match every given field. Their codes, refresh tokens and access
     * tokens are refused from now on. Stored consents stay. Returns the number of revoked grants.
     */
    revoke(selection: GrantsOfUser): Promise<number>
  }
  users: {
    /**
     * Deletes what the provider stores about a user: sessions end (their clients are notified), grants are revoked, consents deleted.
     * Delete or disable your own record first, so that no session begins meanwhile, and give the `sub` to no other user. Call it again if it fails.
     */
    delete(sub: string): Promise<UserDeletionReport>
    /**
     * Ends all sessions of a user (their clients are notified) and revokes all grants with their tokens: for a changed
     * password, or a disabled or deleted account.
     * @param options `reason`: for the events, `administrator` when absent. `keep_sid`: a session that is not ended.
     */
    endAccess(
      sub: string,
      options?: { reason?: SessionEndReason; keep_sid?: string },
    ): Promise<AccessEndReport>
  }
  sessions: {
    list(sub: string): Promise<Session[]>
    /**
     * Ends a session like a logout: its grants are revoked, its clients notified. Returns the number of grants; null when
     * there is no session.
     * @param reason For the event; `administrator` when absent.
     */
    end(sid: string, reason?: SessionEndReason): Promise<SessionEnd | null>
    /**
     * Ends all sessions of a user, and revokes the grants of sessions that storage has lost. Offline grants stay.
     * Returns the `sid` of each ended session, and the number of revoked grants.
     */
    endAll(sub: string, reason?: SessionEndReason): Promise<{ sids: string[]; grants: number }>
    /** Ends all sessions of a user but one, like a logout each. Returns the `sid` of each ended session. */
    endOthers(sub: string, keep_sid: string, reason?: SessionEndReason): Promise<string[]>
  }
  keys: {
    list(): Promise<KeyInfo[]>
    /**
     * Loads and decrypts the realm's keys, and makes the first one of each algorithm that has none, as the first request
     * would do.
     * @throws SealedKeyError
     */
    ready(): Promise<void>
    /**
     * Decrypts the stored keys, and changes nothing.
     * @throws SealedKeyError
     */
    check(): Promise<void>
    /**
     * Publishes a new key now. It signs after `publish_before` seconds (default `oidc.keys.publish_before`), when every
     * cached JWKS contains it. The old key of this algorithm stays published until its last token has expired.
     * @param options `alg`: one of `oidc.keys.algorithms`; required when that lists several. `plan`: no key is made, and `kid` is empty.
     * @throws RangeError for another `alg`, none, or another `publish_before`.
     */
    rotate(options?: { alg?: SigningAlgorithm; publish_before?: number; plan?: boolean }): Promise<KeyInfo>
    /**
     * Withdraws a key that has leaked. This process refuses its tokens from now on, others within 30 seconds. If no
     * other key of its algorithm may sign now, a new key is made that signs at once, unless the algorithm is no longer in
     * `oidc.keys.algorithms`. False when there is no such key.
     */
    revoke(kid: string): Promise<boolean>
    /**
     * Encrypts with `secret` the keys that `previous_secret` has encrypted. Returns their number.
     * @throws SealedKeyError for a key that neither secret decrypts; the keys before it are encrypted again.
     */
    reseal(): Promise<number>
    /** Signs a statement of the application: a JWS of the type `statement+jwt`, with the claim `statement`. It is no token. */
    attest(statement: object): Promise<string>
    /** Signs a Security Event Token of this issuer (RFC 8417): a JWS of the type `secevent+jwt`. It is no token. */
    signEvent(event: SecurityEvent): Promise<string>
  }
}

/** What `users.endAccess` has ended, in numbers. */
export interface AccessEndReport {
  sessions: number
  grants: number
}

/** What `users.delete` has ended and deleted, in numbers. */
export interface UserDeletionReport extends AccessEndReport {
  consents: number
}

export function management(c: RealmContext): Management {
  return {
    clients: clientManagement(c),
    consents: consentManagement(c),
    grants: {
      list: (sub) => c.storage.grants.list(sub, c.now()),
      revoke: (selection) => revokeGrants(c, selection),
    },
    users: {
      delete: (sub) => deleteUser(c, sub),
      endAccess: (sub, { reason = 'administrator', ...options } = {}) =>
        endAccess(c, sub, { reason, ...options }),
    },
    sessions: sessionManagement(c),
    keys: keyManagement(c),
  }
}

async function deleteUser(c: RealmContext, sub: string): Promise<UserDeletionReport> {
  const { sessions, grants } = await endAccess(c, sub, { reason: 'administrator' })
  const consents = await c.storage.consents.delete({ sub })
  c.emit({ type: 'user.deleted', sub, sessions, grants, consents })
  return { sessions, grants, consents }
}

function consentManagement(c: RealmContext): Management['consents'] {
  const { consents } = c.storage
  return {
    list: (sub) => consents.list(sub),
    async revoke({ sub, client_id, resource }) {
      const named = resource === undefined ? {} : { resource }
      const revoked = await consents.revoke({ sub, client_id, ...named }, c.now())
      if (revoked > 0) c.emit({ type: 'consent.revoked', sub, client_id, resource: resource ?? null })
      for (const at of grantsAt(c, resource)) await revokeGrants(c, { sub, client_id, ...at })
      return revoked
    },
  }
}

/** A consent for the issuer covers grants for the issuer, and grants without a resource. */
function grantsAt(c: RealmContext, resource: string | undefined): Pick<GrantsOfUser, 'resource'>[] {
  if (resource === undefined) return [{}]
  return resource === c.realm.issuer ? [{ resource }, { resource: null }] : [{ resource }]
}

function sessionManagement(c: RealmContext): Management['sessions'] {
  const { sessions } = c.storage
  return {
    list: (sub) => sessions.list(sub),
    end: (sid, reason = 'administrator') => endSession(c, sid, reason),
    async endAll(sub, reason = 'administrator') {
      const { sids, grants } = await endSessions(c, sub, { reason })
      return { sids, grants: grants + (await revokeGrants(c, { sub, offline: false })) }
    },
    async endOthers(sub, keep_sid, reason = 'administrator') {
      return (await endSessions(c, sub, { reason, keep_sid })).sids
    },
  }
}

function keyManagement(c: RealmContext): Management['keys'] {
  const { keys } = c.storage
  const { algorithms } = c.realm.settings.keys
  const create = async (alg: SigningAlgorithm, publish_before: number): Promise<KeyInfo> => {
    const { seal } = c.secrets
    const { random, now } = c
    const key = await createSigningKey({ realm: c.realm.id, alg, seal, random, now, publish_before })
    await keys.add(key)
    c.emit({ type: 'key.created', kid: key.kid, signs_from: key.signs_from })
    return info(key)
  }
  return {
    list: async () => (await keys.list()).map(info),
    async ready() {
      await keyRing(c)
    },
    check: () => checkKeys(c),
    async rotate({ alg: requested, publish_before = c.realm.settings.keys.publish_before, plan } = {}) {
      const alg = rotatedAlgorithm(algorithms, requested)
      if (!isPublishBefore(publish_before))
        throw new RangeError(`publish_before: give 0, or ${MIN_PUBLISH_BEFORE} and more`)
      const created_at = c.now()
      if (plan) return { kid: '', alg, created_at, signs_from: created_at + publish_before }
      await keyRing(c)
      const created = await create(alg, publish_before)
      await reloadKeys(c)
      return created
    },
    async revoke(kid) {
      const stored = await keys.list()
      const revoked = stored.find((key) => key.kid === kid)
      if (revoked === undefined) return false
      // The new key comes first: without any key that signs, another server would make one of its own.
      const { alg } = revoked
      const signs = stored.some((key) => key.kid !== kid && key.alg === alg && key.signs_from <= c.now())
      if (!signs && algorithms.includes(alg)) await create(alg, 0)
      await keys.drop(kid)
      c.emit({ type: 'key.revoked', kid })
      await reloadKeys(c)
      return true
    },
    reseal: () => resealKeys(c),
    attest: async (statement) =>
      signJwt(await currentKey(c, rotatedAlgorithm(algorithms, algorithms[0])), 'statement+jwt', {
        statement,
      }),
    signEvent: (event) => signSecurityEvent(c, event),
  }
}

/** @throws RangeError */
function rotatedAlgorithm(
  algorithms: readonly SigningAlgorithm[],
  requested: SigningAlgorithm | undefined,
): SigningAlgorithm {
  const [only, second] = algorithms
  const alg = second === undefined ? (requested ?? only) : requested
  if (alg !== undefined && algorithms.includes(alg)) return alg
  throw new RangeError(`alg: give one of oidc.keys.algorithms: ${algorithms.join(', ')}`)
}

const info = ({ kid, alg, created_at, signs_from }: KeyInfo): KeyInfo => ({
  kid,
  alg,
  created_at,
  signs_from,
})
