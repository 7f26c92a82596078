/** What an application or an operator does to a realm, beside the protocol. */

import type { RealmContext } from './context.js'
import type { SessionEnd } from './events.js'
import { type ClientCredentials, createClient, type NewClient, rotateClientSecret } from './steps/clients.js'
import { endSession } from './steps/end-session.js'
import { keyRing } from './steps/signing-keys.js'
import type { Client, Consent, Session } from './storage.js'
import { createSigningKey } from './tokens/keys.js'

/** A signing key as an operator may see it. */
export interface KeyInfo {
  kid: string
  alg: 'RS256'
  /** Epoch seconds. */
  created_at: number
  signs_from: number
}

/**
 * Clients, consents, sessions and keys of one realm, for its owner and for an operator. Nothing here checks who
 * asks.
 */
export interface Management {
  clients: {
    /**
     * Stores a client that an operator wrote down, by the rules of a configured one. `client_secret` is null for a
     * public one, and shown this once: only its hash is kept.
     * @throws ClientInputError
     */
    create(input: NewClient): Promise<ClientCredentials>
    /** Revoked ones included; by `client_id`, after the given one. `limit`: 100 when absent. */
    list(page?: { after?: string; limit?: number }): Promise<Client[]>
    /** Revoked ones included. */
    find(client_id: string): Promise<Client | null>
    /**
     * From now on the client is refused, by other servers within `client_cache` seconds; its refresh tokens and the tokens
     * that it has for itself are too. A user's access token lives out its short time. False when there is no such client, or it is revoked already.
     */
    revoke(client_id: string): Promise<boolean>
    /**
     * A new secret; the old one is refused from now on. Null when there is no such client.
     * @throws ClientInputError for a public or a revoked one.
     */
    rotateSecret(client_id: string): Promise<ClientCredentials | null>
  }
  consents: {
    /** Revoked ones included. */
    list(sub: string): Promise<Consent[]>
    /**
     * Withdraws the user's consent for one resource, or for all of a client. The view returns on the next request;
     * tokens that were issued live on. Returns how many rows were withdrawn.
     */
    revoke(selection: { sub: string; client_id: string; resource?: string }): Promise<number>
  }
  sessions: {
    list(sub: string): Promise<Session[]>
    /**
     * Ends it like a logout: its grants end, its clients are told. False when there is no such session.
     * @param reason For the event; `administrator` when absent.
     */
    end(sid: string, reason?: SessionEnd): Promise<boolean>
  }
  keys: {
    list(): Promise<KeyInfo[]>
    /**
     * Opens the realm's keys, and makes the first one where there is none: what the first request would do.
     * @throws SealedKeyError
     */
    ready(): Promise<void>
    /**
     * Publishes a new key now; it signs after `publish_before` seconds (default `oidc.keys.publish_before`), when every
     * cached JWKS holds it. The old one stays published for as long as a token that it signed may live.
     */
    rotate(options?: { publish_before?: number }): Promise<KeyInfo>
  }
}

export function management(c: RealmContext): Management {
  const { clients, consents, sessions, keys } = c.storage
  return {
    clients: {
      create: (input) => createClient(c, input),
      list: ({ limit = 100, ...page } = {}) => clients.list({ ...page, limit }),
      find: (client_id) => clients.find(client_id),
      async revoke(client_id) {
        const revoked = await clients.revoke(client_id, c.now())
        if (revoked) c.emit({ type: 'client.revoked', client_id })
        return revoked
      },
      rotateSecret: (client_id) => rotateClientSecret(c, client_id),
    },
    consents: {
      list: (sub) => consents.list(sub),
      async revoke(selection) {
        const { sub, client_id, resource = null } = selection
        const revoked = await consents.revoke(selection, c.now())
        if (revoked > 0) c.emit({ type: 'consent.revoked', sub, client_id, resource })
        return revoked
      },
    },
    sessions: {
      list: (sub) => sessions.list(sub),
      end: (sid, reason = 'administrator') => endSession(c, sid, reason),
    },
    keys: {
      list: async () => (await keys.list()).map(info),
      async ready() {
        await keyRing(c)
      },
      async rotate({ publish_before = c.realm.settings.keys.publish_before } = {}) {
        await keyRing(c)
        const [now, signs_from] = [c.now(), c.now() + publish_before]
        const { seal } = c.secrets
        const key = await createSigningKey({ realm: c.realm.id, seal, random: c.random, now, signs_from })
        await keys.add(key)
        await keyRing(c, -1)
        c.emit({ type: 'key.created', kid: key.kid, signs_from })
        return info(key)
      },
    },
  }
}

const info = ({ kid, alg, created_at, signs_from }: KeyInfo): KeyInfo => ({
  kid,
  alg,
  created_at,
  signs_from,
})
