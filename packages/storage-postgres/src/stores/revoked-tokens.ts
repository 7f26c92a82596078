import type { RevokedTokenStore } from '@ostiary/core'
import { type Queries, won } from '../connection/executor.js'

const ADD = `
  insert into oidc_revoked_tokens (realm, jti, expires_at) values ($1, $2, $3)
  on conflict (realm, jti) do update set expires_at = excluded.expires_at`

const HAS = 'select jti from oidc_revoked_tokens where realm = $1 and jti = $2'

export function revokedTokenStore(db: Queries, realm: string): RevokedTokenStore {
  return {
    async add(jti, expires_at) {
      await db.query(ADD, [realm, jti, expires_at])
    },
    has: (jti) => won(db.query(HAS, [realm, jti])),
  }
}
