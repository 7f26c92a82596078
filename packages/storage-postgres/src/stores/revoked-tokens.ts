import type { RevokedTokenStore } from '@ostiary/core'
import { bucketOfJti } from '../connection/buckets.js'
import { type Database, findRow, hasKey } from '../connection/row-finder.js'

const ADD = `
  insert into oidc_revoked_tokens (realm, bucket, jti, expires_at) values ($1, $2, $3, $4)
  on conflict (realm, jti, bucket) do update set expires_at = excluded.expires_at`

const HAS = findRow(`select jti from oidc_revoked_tokens where ${hasKey('jti')}`)

export function revokedTokenStore(db: Database, realm: string): RevokedTokenStore {
  return {
    async add(jti, expires_at) {
      await db.query(ADD, [realm, bucketOfJti(jti), jti, expires_at])
    },
    has: async (jti) => (await db.find(HAS, { realm, id: jti, bucket: bucketOfJti(jti) })) !== null,
  }
}
