/**
 * `grant:<grant_id>` is a hash of one authorization: `grant`, `expires_at`, `revoked_at`, `client_auth`, `jkt`, its code and its
 * refresh tokens (`code:<hash>`, `token:<hash>`), the time at which each was spent (`spent:…`), and the names of its indexes.
 * The keys `code:<hash>` and `token:<hash>` hold the `grant_id`. `grants-by-end`, `grants-of-user:<sub>` and
 * `grants-of-session:<sid>` are sorted sets of the ids; a grant that outlives its session is not in the session's set.
 * `spent-of:<grant_id>` is a sorted set of the grant's spent refresh tokens by their expiry.
 */

import {
  type AuthorizationCode,
  bucketByHash,
  type CodeRedemption,
  type Grant,
  type GrantStore,
  MAX_SPENT_REFRESH_TOKENS,
  type RefreshToken,
  type RefreshTokenRenewal,
  type RefreshTokenRotation,
} from '@ostiary/core'
import { type Field, type GrantScripts, grantScripts } from './grant-scripts.js'
import { type Root, realNow, ttlUntil } from './keys.js'
import { type DeleteExpired, purgePeople } from './purge.js'
import { type RedisConnection, toFields, toTime } from './script.js'
import { byEndOf, type RealmKeys } from './tags.js'
import { eachPage, sweepStep } from './walk.js'

export interface RedisGrantStore extends GrantStore {
  purgeGrants(now: number): Promise<number>
}

/** The names of the keys below one root. */
const namesBelow = (root: Root) => ({
  root,
  grant: (grant_id: string) => `${root}grant:${grant_id}`,
  byEnd: byEndOf('grants', root),
  ofUser: (sub: string) => `${root}grants-of-user:${sub}`,
  ofSession: (sid: string) => `${root}grants-of-session:${sid}`,
})

const codePointer = (hash: string) => `code:${hash}`
const tokenPointer = (hash: string) => `token:${hash}`

/** Where the grants of a realm are. */
interface Place {
  redis: RedisConnection
  scripts: GrantScripts
  realm: RealmKeys
}

export function grantStores(redis: RedisConnection): (realm: RealmKeys) => RedisGrantStore {
  const scripts = grantScripts(redis)
  const deleteExpired: DeleteExpired = (root, now, limit) =>
    scripts.deleteExpired(root, namesBelow(root).byEnd, now, limit)
  return (realm) => {
    const place = { redis, scripts, realm }
    return {
      async create(grant, code) {
        const { grant_id, sub, sid, expires_at } = grant
        const bucket = bucketByHash(sub)
        const names = namesBelow(realm.ofBucket(bucket))
        const pointer = codePointer(code.code_hash)
        const keys = [names.root, names.grant(grant_id), `${names.root}${pointer}`]
        const indexes = [names.byEnd, names.ofUser(sub), names.ofSession(sid)]
        const ttl = ttlUntil(expires_at)
        const lifetime = [grant_id, expires_at, ttl, realNow() + ttl, grant.offline ? 'offline' : '']
        const codeFields = { [pointer]: JSON.stringify(code), [`spent:${pointer}`]: code.redeemed_at }
        const fields = toFields({ ...grantFields(grant), ...codeFields })
        await realm.tags.grants.add(bucket)
        await scripts.create(...keys, ...indexes, ...lifetime, ...fields)
      },
      async find(grant_id) {
        const { grant } = namesBelow(realm.ofId(grant_id))
        return grantOf(await redis.hmget(grant(grant_id), ...GRANT_FIELDS))
      },
      ...codesAndTokens(place),
      ...revocations(place),
      async list(sub, now) {
        const { root, ofUser } = namesBelow(realm.ofPerson(sub))
        const rows = await scripts.list(root, ofUser(sub))
        const grants = rows.flatMap((fields) => grantOf(fields) ?? [])
        return grants.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at > now)
      },
      purgeGrants: (now) => purgePeople(redis, realm, { kind: 'grants', deleteExpired, now }),
    }
  }
}

type CodesAndTokens = Pick<
  GrantStore,
  'findCode' | 'redeemCode' | 'findRefreshToken' | 'rotateRefreshToken' | 'renewRefreshToken'
>

/** A code and a refresh token are found by the tag of their hash, and the next token is below the same root. */
function codesAndTokens({ scripts, realm }: Place): CodesAndTokens {
  const find = async <R>(pointer: string): Promise<Spendable<R> | null> => {
    const root = realm.ofId(pointer)
    const [record, spent_at, ...fields] = (await scripts.find(root, `${root}${pointer}`)) ?? []
    const grant = grantOf(fields)
    return grant && record ? { grant, record: JSON.parse(record), spent_at: toTime(spent_at) } : null
  }
  const spend = async (pointer: string, next: Spending, now: number): Promise<boolean> => {
    const { root, byEnd } = namesBelow(realm.ofId(pointer))
    const next_pointer = next.refresh_token ? tokenPointer(next.refresh_token.token_hash) : pointer
    const keys = [root, `${root}${pointer}`, `${root}${next_pointer}`, byEnd]
    return (await scripts.spend(...keys, ...spendArgs(next, now))) === 1
  }
  return {
    async findCode(code_hash) {
      const found = await find<AuthorizationCode>(codePointer(code_hash))
      return found && { code: codeOf(found), grant: found.grant }
    },
    redeemCode: (code_hash, next, now) => spend(codePointer(code_hash), next, now),
    async findRefreshToken(token_hash) {
      const found = await find<RefreshToken>(tokenPointer(token_hash))
      return found && { refresh_token: { ...found.record, spent_at: found.spent_at }, grant: found.grant }
    },
    rotateRefreshToken: (token_hash, next, now) => spend(tokenPointer(token_hash), next, now),
    async renewRefreshToken(token_hash, renewal) {
      const { root, byEnd } = namesBelow(realm.ofId(token_hash))
      const pointer = `${root}${tokenPointer(token_hash)}`
      return (await scripts.renew(root, pointer, byEnd, ...renewalArgs(renewal))) === 1
    },
  }
}

/** Grants that one script of `revokeOfClient` reads, about a millisecond of work for Redis. */
const PAGE_SIZE = 500

function revocations({ redis, scripts, realm }: Place): Pick<GrantStore, 'revoke' | 'revokeOfClient'> {
  return {
    async revoke(selection, now) {
      if ('grant_id' in selection) {
        const { grant } = namesBelow(realm.ofId(selection.grant_id))
        return scripts.revoke(grant(selection.grant_id), now)
      }
      if ('sid' in selection) {
        const { root, ofSession } = namesBelow(realm.ofId(selection.sid))
        return scripts.revokeOfSession(root, ofSession(selection.sid), now)
      }
      const { sub, client_id = '', resource = '', offline } = selection
      const conditions = [client_id, resource ?? 'null', offline === false ? 'session' : '']
      const { root, ofUser } = namesBelow(realm.ofPerson(sub))
      return scripts.revokeOfUser(root, ofUser(sub), now, ...conditions)
    },
    revokeOfClient({ client_id, before, after }, now) {
      const revokePage = async (root: Root, entries: string[]): Promise<number> => {
        // Each id is followed by its score.
        const ids = entries.filter((_, i) => i % 2 === 0)
        if (ids.length === 0) return 0
        return scripts.revokeOfClient(root, namesBelow(root).byEnd, now, client_id, before, ...ids)
      }
      return sweepStep(realm, after, {
        count: (root) => redis.zcard(namesBelow(root).byEnd),
        sweep: (root) =>
          eachPage(
            (cursor) => redis.zscan(namesBelow(root).byEnd, cursor, 'COUNT', PAGE_SIZE),
            (entries) => revokePage(root, entries),
          ),
      })
    },
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
