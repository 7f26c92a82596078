/** The keys that the clients of one realm publish at their `jwks_uri`. */

import { publishedClientKeys } from '../../clients/client-keys.js'
import { documentCache } from '../../documents/document-cache.js'
import type { FetchBudgets, UsedBy } from '../../documents/fetch-budgets.js'
import { recentValues } from '../../documents/recent-values.js'
import type { FetchDocument } from '../../realm/ports.js'
import { DocumentError } from '../../refusals/document-error.js'
import type { JsonWebKeySet } from '../../storage/records.js'

const MAX_KEY_SET_BYTES = 64 * 1024
/** In one realm. */
const MAX_KEY_SETS = 1000
/** Seconds after `fetched_at` for which keys are used while their host gives no new ones. */
const MAX_STALE_SECONDS = 86_400
/** Seconds between two requests for the keys of one client that assertions with an unknown `kid` cause. */
const REFETCH_SECONDS = 60

/** Whose keys are read, and for which assertion. */
interface KeySetNeed {
  client_id: string
  jwks_uri: string
  /** Null: any key will do. */
  kid: string | null
  address: string | null
  /** Asked only when a request is needed. */
  usedBy(): Promise<UsedBy>
}

export interface KeySets {
  /**
   * The keys; when they do not have the `kid`, they are read again, for one client once in 60 seconds.
   * @throws DocumentError when the keys cannot be read; OAuthError 429 when a budget is used up
   */
  read(need: KeySetNeed): Promise<JsonWebKeySet>
}

export interface KeySetsOptions {
  realm: string
  /** Null: the application has given none, and no keys can be read. */
  fetch_document: FetchDocument | null
  budgets: FetchBudgets
  /** Epoch seconds. */
  now(): number
}

export function keySets({ fetch_document, now, ...options }: KeySetsOptions): KeySets {
  const cache = documentCache<JsonWebKeySet>({
    ...options,
    now,
    fetch_document: fetch_document ?? unavailable,
    max_bytes: MAX_KEY_SET_BYTES,
    max_entries: MAX_KEY_SETS,
    parse: parseKeys,
  })
  /**
   * When an unknown `kid` of a client has last caused a request that was answered. The address alone is no key: a stranger can
   * register a client with the address of another one.
   */
  const refetches = recentValues<number>(MAX_KEY_SETS)

  return {
    async read({ client_id, jwks_uri, kid, address, usedBy }) {
      const slot = JSON.stringify([client_id, jwks_uri])
      const mayRefetch = () => (refetches.get(slot) ?? Number.NEGATIVE_INFINITY) + REFETCH_SECONDS <= now()
      const is_fresh = (cache.peek(jwks_uri)?.fresh_until ?? 0) > now()
      let is_answered = false
      const need = {
        address,
        used_by: is_fresh ? ('none' as const) : await usedBy(),
        report: (outcome: object) => {
          is_answered = 'document' in outcome
        },
      }
      let found = await cache.readOrStale(jwks_uri, { ...need, max_stale: MAX_STALE_SECONDS })
      const isUnknown = () => kid !== null && !found.value.keys.some((key) => key.kid === kid)
      // A request that this call has caused was sent after the assertion had arrived. One that it has joined may be older.
      for (let turn = 0; turn < 2 && isUnknown() && !is_answered && mayRefetch(); turn += 1) {
        const used_by = await usedBy()
        found = await cache.read(jwks_uri, { ...need, used_by, newer_than: found })
        if (is_answered) refetches.keep(slot, now())
      }
      return found.value
    },
  }
}

/** Of a provider without `fetch_document`. */
const unavailable = () => Promise.reject(new DocumentError('unreachable'))

function parseKeys(json: unknown): JsonWebKeySet {
  const keys = publishedClientKeys(json)
  if (keys === null) throw new DocumentError('invalid_keys')
  return keys
}
