/** The realm's signing keys, decrypted once and kept in memory. */

import {
  createSigningKey,
  type OpenKey,
  openSigningKey,
  publishedKeysAt,
  signingKeyAt,
} from '../crypto/keys.js'
import type { KeyRing, RealmContext } from '../realm/context.js'
import { longestTokenLifetime, type Realm } from '../realm/realm.js'
import type { SigningAlgorithm, SigningKey } from '../storage/storage.js'

/** Seconds between reloads. A new key is published at least a minute before it signs, so every server loads it in time. */
const RELOAD_SECONDS = 30
/** Seconds until storage is asked again after a failure. */
const RETRY_SECONDS = 5
/** Seconds in which every server gets a changed `oidc.keys.algorithms`; until then some sign with the old one. */
const ROLLOUT_SECONDS = 3600

/** The key to sign with. The realm has one of each algorithm in `oidc.keys.algorithms`. */
export function currentKey(c: RealmContext, alg: SigningAlgorithm): OpenKey | Promise<OpenKey> {
  const keyIn = ({ keys }: KeyRing) => {
    const key = signingKeyAt(keys, alg, c.now())
    if (!key) throw new Error(`The realm ${c.realm.id} has no ${alg} key`)
    return key
  }
  const fresh = freshKeyRing(c)
  return fresh ? keyIn(fresh) : keyRing(c).then(keyIn)
}

/** The published key with this id. The keys are reloaded once if needed, since another server may have made it just now. */
export async function publishedKey(c: RealmContext, kid: string | undefined): Promise<OpenKey | null> {
  const find = ({ keys }: KeyRing) => keys.find((key) => key.kid === kid) ?? null
  const ring = await keyRing(c)
  return find(ring) ?? (ring.loaded_at < c.now() ? find(await keyRing(c, 0)) : null)
}

/** Whether the key is still published, as far as this server knows: otherwise its tokens are refused. */
export async function isPublished(c: RealmContext, kid: string): Promise<boolean> {
  const { keys } = freshKeyRing(c) ?? (await keyRing(c))
  return keys.some((key) => key.kid === kid)
}

/** @param max_age Seconds: keys in memory that are older are loaded again. */
export async function keyRing(c: RealmContext, max_age = RELOAD_SECONDS): Promise<KeyRing> {
  const fresh = freshKeyRing(c, max_age)
  if (fresh) return fresh
  const { key_ring } = c
  key_ring.loading ??= load(c, key_ring.loaded).finally(() => {
    key_ring.loading = null
  })
  key_ring.loaded = await key_ring.loading
  return key_ring.loaded
}

/** The keys in memory; null when none are loaded, or when they are older than `max_age` seconds. */
export function freshKeyRing(c: RealmContext, max_age = RELOAD_SECONDS): KeyRing | null {
  const known = c.key_ring.loaded
  const age = known === null ? Number.POSITIVE_INFINITY : c.now() - known.loaded_at
  return age >= 0 && age <= max_age ? known : null
}

/** Loads the keys again. A load that is under way is not enough, since it may have read them before a change. */
export async function reloadKeys(c: RealmContext): Promise<KeyRing> {
  await c.key_ring.loading?.catch(() => {})
  return keyRing(c, -1)
}

async function load(c: RealmContext, previous: KeyRing | null): Promise<KeyRing> {
  try {
    const records = await withFirstKeys(c, await c.storage.keys.list())
    const opened = await Promise.all(
      neededKeys(c, records).map(
        (record) =>
          previous?.keys.find(({ kid }) => kid === record.kid) ??
          openSigningKey(record, { realm: c.realm.id, seals: c.secrets.seals, signer: c.signer }),
      ),
    )
    return { loaded_at: c.now(), keys: opened }
  } catch (cause) {
    // While storage is not available, the keys in memory stay in use.
    if (previous === null) throw cause
    c.emit({ type: 'server.error', route: null, cause })
    return { ...previous, loaded_at: c.now() - RELOAD_SECONDS + RETRY_SECONDS }
  }
}

/** The keys with a first one for each listed algorithm that has none yet. It signs at once. */
async function withFirstKeys(c: RealmContext, stored: SigningKey[]): Promise<SigningKey[]> {
  let keys = stored
  for (const alg of c.realm.settings.keys.algorithms)
    if (!keys.some((key) => key.alg === alg)) keys = await firstKey(c, alg)
  return keys
}

async function firstKey(c: RealmContext, alg: SigningAlgorithm): Promise<SigningKey[]> {
  const { random, now } = c
  const { seal } = c.secrets
  const key = await createSigningKey({ realm: c.realm.id, alg, seal, random, now, publish_before: 0 })
  const stored = await c.storage.keys.ensure(key)
  if (stored.some(({ kid }) => kid === key.kid))
    c.emit({ type: 'key.created', kid: key.kid, signs_from: key.signs_from })
  return stored
}

/**
 * The keys whose tokens may still be valid: they are published, and not deleted. A key whose algorithm is no longer listed
 * stays as long as its last token, and longer by the time that other servers may still have signed with it.
 */
export function neededKeys({ realm, now }: RealmContext, records: readonly SigningKey[]): SigningKey[] {
  const lifetime = longestTokenLifetime(realm.settings)
  const since = unlistedSince(realm, { records, now: now() })
  return publishedKeysAt(records, now(), lifetime).filter(
    ({ kid }) => (since.get(kid) ?? now()) + ROLLOUT_SECONDS + lifetime > now(),
  )
}

/** By realm and `kid`: when this process first saw that the algorithm of the key is not listed. No storage keeps the change. */
const unlisted = new WeakMap<Realm, ReadonlyMap<string, number>>()

/** Whether the realm has keys that are deleted some time after their algorithm was removed from the list. */
export const hasUnlistedKeys = (realm: Realm): boolean => (unlisted.get(realm)?.size ?? 0) > 0

function unlistedSince(
  realm: Realm,
  { records, now }: { records: readonly SigningKey[]; now: number },
): ReadonlyMap<string, number> {
  const known = unlisted.get(realm)
  const removed = records.filter(({ alg }) => !realm.settings.keys.algorithms.includes(alg))
  const since = new Map(removed.map(({ kid }) => [kid, known?.get(kid) ?? now]))
  unlisted.set(realm, since)
  return since
}
