/**
 * `session:<session_hash>` is a hash with the record, its `client_ids`, its `last_used_at`, and the name of its user's index. The record is
 * in the field `session` while the session lives, and in `ended` from its end until `forget`. `sid:<sid>` holds the
 * `session_hash`. `sessions-by-end` and `sessions-of:<sub>` are sorted sets of the hashes; the score of the former is the
 * time at which `end` is due: the expiry, or the end of the lease.
 *
 * A session must not be deleted before its clients are notified of its end. So Redis keeps it for a week after its
 * expiry, which is how long `provider.tick()` may pause.
 */

import { bucketByHash, type Session, type SessionStore } from '@ostiary/core'
import { type Root, realNow, ttlUntil, WEEK_SECONDS } from './keys.js'
import { fromLines, type RedisConnection, scriptsOf, toFields, toLines } from './script.js'
import { byEndOf, type RealmKeys } from './tags.js'
import { walk } from './walk.js'

// KEYS: root, session, sid, by end, of the user. ARGV: session_hash, expires_at, time to live, end of that time, fields
const CREATE = `
local stem = KEYS[1] .. 'session:'
call('HSET', KEYS[2], 'index', KEYS[5]:sub(#KEYS[1] + 1), unpack(ARGV, 5))
call('EXPIRE', KEYS[2], ARGV[3])
call('SET', KEYS[3], ARGV[1], 'EX', ARGV[3])
enlist(KEYS[4], { score = ARGV[2], member = ARGV[1], ttl = ARGV[3], stem = stem })
enlist(KEYS[5], { score = ARGV[4], member = ARGV[1], ttl = ARGV[3], stem = stem })`

// KEYS: root, sid. ARGV: the client_id as a line
const JOIN = `
local session = KEYS[1] .. 'session:' .. (call('GET', KEYS[2]) or '')
if call('HEXISTS', session, 'session') == 0 then return 0 end
local clients = call('HGET', session, 'client_ids')
call('HSET', session, 'client_ids', union(clients, ARGV[1]))
return 1`

// KEYS: root, sid. ARGV: last_used_at
const TOUCH = `
local session = KEYS[1] .. 'session:' .. (call('GET', KEYS[2]) or '')
if call('HEXISTS', session, 'session') == 0 then return end
if tonumber(call('HGET', session, 'last_used_at') or 0) < tonumber(ARGV[1]) then
  call('HSET', session, 'last_used_at', ARGV[1])
end`

// KEYS: root, sid, session, session under its new hash, by end. ARGV: expected session_hash, new session_hash, record. The record
// has no field that another script changes, so it is as the caller has read it while the hash is the expected one.
const RAISE = `
if call('GET', KEYS[2]) ~= ARGV[1] or call('HEXISTS', KEYS[3], 'session') == 0 then return 0 end
call('RENAME', KEYS[3], KEYS[4])
call('HSET', KEYS[4], 'session', ARGV[3])
call('SET', KEYS[2], ARGV[2], 'KEEPTTL')
for _, index in ipairs({ KEYS[5], KEYS[1] .. call('HGET', KEYS[4], 'index') }) do
  local score = call('ZSCORE', index, ARGV[1])
  call('ZREM', index, ARGV[1])
  if score then call('ZADD', index, score, ARGV[2]) end
end
return 1`

// KEYS: root, sid, by end. ARGV: now, end of the lease
const END = `
local session_hash = call('GET', KEYS[2])
if not session_hash then return false end
local session = KEYS[1] .. 'session:' .. session_hash
local found = call('HMGET', session, 'session', 'client_ids', 'index', 'ended', 'last_used_at')
if found[1] then
  call('HSET', session, 'ended', found[1])
  call('HDEL', session, 'session')
  call('ZREM', KEYS[1] .. found[3], session_hash)
elseif not found[4] or tonumber(call('ZSCORE', KEYS[3], session_hash) or 0) > tonumber(ARGV[1]) then
  return false
end
call('ZADD', KEYS[3], ARGV[2], session_hash)
return { found[1] or found[4], found[2], found[5] }`

// KEYS: root, sid, by end
const FORGET = `
local session_hash = call('GET', KEYS[2])
if not session_hash or call('HEXISTS', KEYS[1] .. 'session:' .. session_hash, 'ended') == 0 then return end
call('DEL', KEYS[1] .. 'session:' .. session_hash, KEYS[2])
call('ZREM', KEYS[3], session_hash)`

// Adds a session's record, client_ids and last_used_at to `found`, or removes its hash from the index when Redis has deleted it.
const COLLECT = `
local found = {}
local function collect(index, session_hash)
  local session = KEYS[1] .. 'session:' .. session_hash
  local fields = call('HMGET', session, 'session', 'client_ids', 'last_used_at', 'ended')
  local record = fields[1] or fields[4]
  if not record then return call('ZREM', index, session_hash) end
  found[#found + 1] = record
  found[#found + 1] = fields[2]
  found[#found + 1] = fields[3]
  return 0
end
`

// KEYS: root, by end. ARGV: now, limit. Reads further sessions in place of those that Redis has deleted, at most ten
// times.
const EXPIRED = `${COLLECT}
for _ = 1, 10 do
  local room = ARGV[2] - #found / 3
  local removed = 0
  local hashes = call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', #found / 3, room)
  for _, session_hash in ipairs(hashes) do removed = removed + collect(KEYS[2], session_hash) end
  if removed == 0 then break end
end
return found`

// KEYS: root, of the user
const LIST = `${COLLECT}
for _, session_hash in ipairs(call('ZRANGE', KEYS[2], 0, -1)) do collect(KEYS[2], session_hash) end
return found`

type Fields = (string | null)[]

function sessionScripts(redis: RedisConnection) {
  const script = scriptsOf(redis)
  return {
    create: script<null>('ostiaryCreateSession', 5, CREATE),
    join: script<number>('ostiaryJoinSession', 2, JOIN),
    touch: script<null>('ostiaryTouchSession', 2, TOUCH),
    raise: script<number>('ostiaryRaiseSession', 5, RAISE),
    end: script<Fields | null>('ostiaryEndSession', 3, END),
    forget: script<null>('ostiaryForgetSession', 3, FORGET),
    expired: script<Fields>('ostiaryExpiredSessions', 2, EXPIRED),
    list: script<Fields>('ostiaryListSessions', 2, LIST),
  }
}

/** The names of the keys below one root. */
const namesBelow = (root: Root) => ({
  root,
  session: (session_hash: string) => `${root}session:${session_hash}`,
  bySid: (sid: string) => `${root}sid:${sid}`,
  byEnd: byEndOf('sessions', root),
  ofUser: (sub: string) => `${root}sessions-of:${sub}`,
})

/** Tags that one call of `expired` visits, so that a realm with many people does not delay the others. */
const MAX_TAGS = 1024

export function sessionStores(redis: RedisConnection): (realm: RealmKeys) => SessionStore {
  const scripts = sessionScripts(redis)
  return (realm) => ({
    async create({ client_ids, last_used_at, ...record }) {
      const { session_hash, sid, sub, expires_at } = record
      const bucket = bucketByHash(sub)
      const names = namesBelow(realm.ofBucket(bucket))
      const keys = [names.root, names.session(session_hash), names.bySid(sid), names.byEnd, names.ofUser(sub)]
      const ttl = ttlUntil(expires_at, WEEK_SECONDS)
      const fields = toFields({
        session: JSON.stringify(record),
        client_ids: toLines(client_ids),
        ...(last_used_at !== null && { last_used_at: String(last_used_at) }),
      })
      await realm.tags.sessions.add(bucket)
      await scripts.create(...keys, session_hash, expires_at, ttl, realNow() + ttl, ...fields)
    },
    async find(session_hash) {
      const { session } = namesBelow(realm.ofId(session_hash))
      return sessionOf(await redis.hmget(session(session_hash), 'session', 'client_ids', 'last_used_at'))
    },
    async join(sid, client_id) {
      const { root, bySid } = namesBelow(realm.ofId(sid))
      return (await scripts.join(root, bySid(sid), toLines([client_id]))) === 1
    },
    async touch(sid, used_at) {
      const { root, bySid } = namesBelow(realm.ofId(sid))
      await scripts.touch(root, bySid(sid), used_at)
    },
    async raise(sid, raised, expected) {
      const { root, session, bySid, byEnd } = namesBelow(realm.ofId(sid))
      const stored = await redis.hget(session(expected), 'session')
      if (stored === null) return false
      const record = JSON.stringify({ ...JSON.parse(stored), ...raised })
      const keys = [root, bySid(sid), session(expected), session(raised.session_hash), byEnd]
      return (await scripts.raise(...keys, expected, raised.session_hash, record)) === 1
    },
    async end(sid, now, lease) {
      const { root, bySid, byEnd } = namesBelow(realm.ofId(sid))
      return sessionOf((await scripts.end(root, bySid(sid), byEnd, now, now + lease)) ?? [])
    },
    async forget(sid) {
      const { root, bySid, byEnd } = namesBelow(realm.ofId(sid))
      await scripts.forget(root, bySid(sid), byEnd)
    },
    async expired(now, limit) {
      const found: Session[] = []
      await walk(realm, 'sessions', {
        limit,
        most_tags: MAX_TAGS,
        count: (root) => redis.zcount(namesBelow(root).byEnd, '-inf', now),
        async work(root, most) {
          const expired = sessionsOf(await scripts.expired(root, namesBelow(root).byEnd, now, most))
          found.push(...expired)
          return expired.length
        },
      })
      return found
    },
    async list(sub) {
      const { root, ofUser } = namesBelow(realm.ofPerson(sub))
      return sessionsOf(await scripts.list(root, ofUser(sub)))
    },
  })
}

function sessionOf([record, client_ids, last_used_at = null]: Fields): Session | null {
  if (typeof record !== 'string' || typeof client_ids !== 'string') return null
  return {
    // The record of an earlier version has neither.
    user_agent: null,
    raised_at: null,
    ...JSON.parse(record),
    last_used_at: last_used_at === null ? null : Number(last_used_at),
    client_ids: fromLines(client_ids),
  }
}

/** Three fields for each session. */
function sessionsOf(found: Fields): Session[] {
  return found.flatMap((_, i) => (i % 3 === 0 ? (sessionOf(found.slice(i, i + 3)) ?? []) : []))
}
