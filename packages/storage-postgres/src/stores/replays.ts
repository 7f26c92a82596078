import type { ReplayStore } from '@ostiary/core'
import { bucketByHash } from '../connection/buckets.js'
import { type Queries, won } from '../connection/executor.js'
import { EXPIRED_UNTIL } from './purge.js'

/** A parallel claim waits at the row of the first one, and then finds it claimed. */
const CLAIM = `
  insert into oidc_replays as stored (realm, bucket, key_hash, expires_at) values ($1, $3, $4, $5)
  on conflict (realm, key_hash, bucket) do update set expires_at = excluded.expires_at
    where stored.expires_at <= ${EXPIRED_UNTIL}
  returning key_hash`

export function replayStore(db: Queries, realm: string): ReplayStore {
  return {
    claim: (key_hash, expires_at, now) =>
      won(db.query(CLAIM, [realm, now, bucketByHash(key_hash), key_hash, expires_at])),
  }
}
