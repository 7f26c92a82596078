/**
 * `grant:<grant_id>` is a hash of one authorization: `grant`, `expires_at`, `revoked_at`, `client_auth`, `jkt`, its code and its
 * refresh tokens (`code:<hash>`, `token:<hash>`), the time at which each was spent (`spent:…`), and the names of its indexes.
 * The keys `code:<hash>` and `token:<hash>` hold the `grant_id`. `grants-by-end`, `grants-of-user:<sub>` and
 * `grants-of-session:<sid>` are sorted sets of the ids; a grant that outlives its session is not in the session's set.
 * `spent-of:<grant_id>` is a sorted set of the grant's spent refresh tokens by their expiry.
 */

import {
  type AuthorizationCode,
  type CodeRedemption,
  type Grant,
  type GrantStore,
  MAX_SPENT_REFRESH_TOKENS,
  type RefreshToken,
  type RefreshTokenRenewal,
  type RefreshTokenRotation,
} from '@ostiary/core'
import { type Field, grantScripts } from './grant-scripts.js'
import { type Root, realNow, ttlUntil } from './keys.js'
import { inBatches } from './purge.js'
import { type RedisConnection, toFields, toTime } from './script.js'

export interface RedisGrantStore extends GrantStore {
  purgeGrants(now: number): Promise<number>
}

/** Grants that one step of `revokeOfClient` reads, about a millisecond of work for Redis. */
const SWEEP_SIZE = 500

export function grantStores(redis: RedisConnection): (root: Root) => RedisGrantStore {
  const scripts = grantScripts(redis)
  return (root) => {
    const key = (grant_id: string) => `${root}grant:${grant_id}`
    const code = (hash: string) => `code:${hash}`
    const token = (hash: string) => `token:${hash}`
    const byEnd = `${root}grants-by-end`
    const ofUser = (sub: string) => `${root}grants-of-user:${sub}`
    const ofSession = (sid: string) => `${root}grants-of-session:${sid}`

    const find = async <R>(pointer: string): Promise<Spendable<R> | null> => {
      const [record, spent_at, ...fields] = (await scripts.find(root, `${root}${pointer}`)) ?? []
      const grant = grantOf(fields)
      return grant && record ? { grant, record: JSON.parse(record), spent_at: toTime(spent_at) } : null
    }
    const spend = async (pointer: string, next: Spending, now: number): Promise<boolean> => {
      const next_pointer = next.refresh_token ? token(next.refresh_token.token_hash) : pointer
      const keys = [root, `${root}${pointer}`, `${root}${next_pointer}`, byEnd]
      return (await scripts.spend(...keys, ...spendArgs(next, now))) === 1
    }
    return {
      async create(grant, record) {
        const { grant_id, sub, sid, expires_at } = grant
        const pointer = code(record.code_hash)
        const indexes = [byEnd, ofUser(sub), ofSession(sid)]
        const ttl = ttlUntil(expires_at)
        const lifetime = [grant_id, expires_at, ttl, realNow() + ttl, grant.offline ? 'offline' : '']
        const codeFields = { [pointer]: JSON.stringify(record), [`spent:${pointer}`]: record.redeemed_at }
        const fields = toFields({ ...grantFields(grant), ...codeFields })
        await scripts.create(root, key(grant_id), `${root}${pointer}`, ...indexes, ...lifetime, ...fields)
      },
      async find(grant_id) {
        return grantOf(await redis.hmget(key(grant_id), ...GRANT_FIELDS))
      },
      async findCode(code_hash) {
        const found = await find<AuthorizationCode>(code(code_hash))
        return found && { code: codeOf(found), grant: found.grant }
      },
      redeemCode: (code_hash, next, now) => spend(code(code_hash), next, now),
      async findRefreshToken(token_hash) {
        const found = await find<RefreshToken>(token(token_hash))
        return found && { refresh_token: { ...found.record, spent_at: found.spent_at }, grant: found.grant }
      },
      rotateRefreshToken: (token_hash, next, now) => spend(token(token_hash), next, now),
      renewRefreshToken: async (hash, renewal) =>
        (await scripts.renew(root, `${root}${token(hash)}`, byEnd, ...renewalArgs(renewal))) === 1,
      async revoke(selection, now) {
        if ('grant_id' in selection) return scripts.revoke(key(selection.grant_id), now)
        if ('sid' in selection) return scripts.revokeOfSession(root, ofSession(selection.sid), now)
        const { sub, client_id = '', resource = '', offline } = selection
        const conditions = [client_id, resource ?? 'null', offline === false ? 'session' : '']
        return scripts.revokeOfUser(root, ofUser(sub), now, ...conditions)
      },
      async revokeOfClient({ client_id, before, after = '0' }, now) {
        const { ids, next } = await stepOf(redis, byEnd, after)
        const count =
          ids.length === 0 ? 0 : await scripts.revokeOfClient(root, byEnd, now, client_id, before, ...ids)
        return { count, next }
      },
      async list(sub, now) {
        const rows = await scripts.list(root, ofUser(sub))
        const grants = rows.flatMap((fields) => grantOf(fields) ?? [])
        return grants.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at > now)
      },
      purgeGrants: (now) => inBatches((limit) => scripts.deleteExpired(root, byEnd, now, limit)),
    }
  }
}

/** What is stored when a code or a refresh token is spent. */
type Spending = RefreshTokenRotation & Partial<CodeRedemption>

function spendArgs({ refresh_token, grant_expires_at, client_auth, jkt }: Spending, now: number) {
  const record = refresh_token ? JSON.stringify(refresh_token) : ''
  const times = [now, grant_expires_at, ttlUntil(grant_expires_at), realNow()]
  return [...times, record, MAX_SPENT_REFRESH_TOKENS, client_auth ?? '', jkt ?? '']
}

const renewalArgs = ({ expires_at, grant_expires_at }: RefreshTokenRenewal) => [
  expires_at,
  grant_expires_at,
  ttlUntil(grant_expires_at),
  realNow(),
]

/** The ids of one step through a sorted set, and where the next step begins. */
async function stepOf(redis: RedisConnection, index: string, after: string) {
  const [cursor, entries] = await redis.zscan(index, after, 'COUNT', SWEEP_SIZE)
  return { ids: entries.filter((_, i) => i % 2 === 0), next: cursor === '0' ? null : cursor }
}

/** A code or refresh token, with its grant. */
interface Spendable<R> {
  grant: Grant
  record: R
  spent_at: number | null
}

/** A code that the release before has stored has no `dpop_jkt`. */
const codeOf = ({ record, spent_at }: Spendable<AuthorizationCode>): AuthorizationCode => ({
  ...record,
  dpop_jkt: record.dpop_jkt ?? null,
  redeemed_at: spent_at,
})

const GRANT_FIELDS = ['grant', 'expires_at', 'revoked_at', 'client_auth', 'jkt'] as const

const grantFields = (grant: Grant): Record<(typeof GRANT_FIELDS)[number], string | number | null> => ({
  grant: JSON.stringify(grant),
  expires_at: grant.expires_at,
  revoked_at: grant.revoked_at,
  client_auth: grant.client_auth,
  jkt: grant.jkt,
})

function grantOf([grant, expires_at, revoked_at, client_auth = null, jkt = null]: Field[]): Grant | null {
  if (!grant) return null
  const times = { expires_at: Number(expires_at), revoked_at: toTime(revoked_at) }
  return { ...JSON.parse(grant), ...times, client_auth, jkt }
}
