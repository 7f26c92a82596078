/**
 * The Lua scripts of `grants.ts`. A "pointer" is the key of a code or refresh token, which holds the id of its grant. The
 * lists of KEYS name the indexes of grants: by end, of the user and of the session.
 */

import { type RedisConnection, type Script, scriptsOf } from './script.js'

// KEYS: root, grant, pointer of the code, by end, of the user, of the session
// ARGV: grant_id, expires_at, time to live, end of that time, "offline" or '', fields
const CREATE = `
local function addToIndex(index, score)
  enlist(index, { score = score, member = ARGV[1], ttl = ARGV[3], stem = KEYS[1] .. 'grant:' })
end
call('HSET', KEYS[2], 'of_user', KEYS[5]:sub(#KEYS[1] + 1), unpack(ARGV, 6))
call('EXPIRE', KEYS[2], ARGV[3])
call('SET', KEYS[3], ARGV[1], 'EX', ARGV[3])
addToIndex(KEYS[4], ARGV[2])
addToIndex(KEYS[5], ARGV[4])
if ARGV[5] ~= 'offline' then
  call('HSET', KEYS[2], 'of_session', KEYS[6]:sub(#KEYS[1] + 1))
  addToIndex(KEYS[6], ARGV[4])
end`

// KEYS: root, pointer
const FIND = `
local grant_id = call('GET', KEYS[2])
if not grant_id then return false end
local grant = KEYS[1] .. 'grant:' .. grant_id
local field = KEYS[2]:sub(#KEYS[1] + 1)
return call('HMGET', grant, field, 'spent:' .. field, 'grant', 'expires_at', 'revoked_at', 'client_auth', 'jkt')`

// A grant, its code and its tokens have the same time to live. A grant can have hundreds of spent tokens, and most
// rotations should not write to them. So when the grant needs more time (at least a minute more, because seconds are
// rounded), all of them get twice the time that it needs.
//
// root: KEYS[1]. by_end: the index of grants by end. life: expires_at, ttl (the time to live that is needed), now (real time).
// Returns the time to live.
const RENEW_GRANT = `
local function renewGrant(grant_id, by_end, life)
  local grant = KEYS[1] .. 'grant:' .. grant_id
  local ttl = call('TTL', grant)
  if ttl + 60 < tonumber(life.ttl) then
    ttl = 2 * life.ttl
    call('EXPIRE', grant, ttl)
    for _, field in ipairs(call('HKEYS', grant)) do
      if field:find('^code:') or field:find('^token:') then call('EXPIRE', KEYS[1] .. field, ttl) end
    end
    for _, index in ipairs(call('HMGET', grant, 'of_user', 'of_session')) do
      if index then
        enlist(KEYS[1] .. index, { score = life.now + ttl, member = grant_id, ttl = ttl, stem = KEYS[1] .. 'grant:' })
      end
    end
  end
  call('HSET', grant, 'expires_at', life.expires_at)
  enlist(by_end, { score = life.expires_at, member = grant_id, ttl = ttl, stem = KEYS[1] .. 'grant:' })
  return ttl
end
`

// 'spent-of:<grant_id>' has the spent refresh tokens of a grant by their expiry. Expired ones, and the oldest above the
// limit, are deleted.
//
// KEYS: root, pointer of the spent code or token, pointer of the next token, by end
// ARGV: now, expires_at, time to live, real time, record of the next token or '', largest number of spent tokens,
// client_auth or '' (both only for a code), jkt or ''
const SPEND = `${RENEW_GRANT}
local grant_id = call('GET', KEYS[2])
if not grant_id then return 0 end
local grant = KEYS[1] .. 'grant:' .. grant_id
local spent = KEYS[2]:sub(#KEYS[1] + 1)
if call('HEXISTS', grant, spent) == 0 then return 0 end
if call('HSETNX', grant, 'spent:' .. spent, ARGV[1]) == 0 then return 0 end

local ttl = renewGrant(grant_id, KEYS[4], { expires_at = ARGV[2], ttl = ARGV[3], now = ARGV[4] })
if ARGV[7] ~= '' then
  call('HSET', grant, 'client_auth', ARGV[7])
  if ARGV[8] ~= '' then call('HSET', grant, 'jkt', ARGV[8]) else call('HDEL', grant, 'jkt') end
end
if spent:find('^token:') then
  local list = KEYS[1] .. 'spent-of:' .. grant_id
  local record = cjson.decode(call('HGET', grant, spent))
  call('ZADD', list, string.format('%.0f', record.expires_at), spent)
  call('EXPIRE', list, ttl)
  local excess = call('ZCARD', list) - ARGV[6]
  local outdated = call('ZRANGEBYSCORE', list, '-inf', ARGV[1])
  if excess > #outdated then outdated = call('ZRANGE', list, 0, excess - 1) end
  for _, field in ipairs(outdated) do
    if field ~= spent then
      call('HDEL', grant, field, 'spent:' .. field)
      call('DEL', KEYS[1] .. field)
      call('ZREM', list, field)
    end
  end
end
if ARGV[5] ~= '' then
  call('HSET', grant, KEYS[3]:sub(#KEYS[1] + 1), ARGV[5])
  call('SET', KEYS[3], grant_id, 'EX', ttl)
end
return 1`

// The record is JSON, and a quotation mark in a text of it is escaped: the pattern fits nothing but the member.
//
// KEYS: root, pointer of the token, by end
// ARGV: expires_at of the token, expires_at of the grant, time to live, real time
const RENEW = `${RENEW_GRANT}
local grant_id = call('GET', KEYS[2])
if not grant_id then return 0 end
local grant = KEYS[1] .. 'grant:' .. grant_id
local token = KEYS[2]:sub(#KEYS[1] + 1)
local record = call('HGET', grant, token)
if not record or call('HEXISTS', grant, 'spent:' .. token) == 1 then return 0 end
call('HSET', grant, token, (record:gsub('"expires_at":%d+', '"expires_at":' .. ARGV[1], 1)))
renewGrant(grant_id, KEYS[3], { expires_at = ARGV[2], ttl = ARGV[3], now = ARGV[4] })
return 1`

// KEYS: grant. ARGV: now
const REVOKE = `
if call('EXISTS', KEYS[1]) == 0 then return 0 end
return call('HSETNX', KEYS[1], 'revoked_at', ARGV[1])`

// KEYS: root, of the session. ARGV: now
const REVOKE_OF_SESSION = `
local count = 0
for _, grant_id in ipairs(call('ZRANGE', KEYS[2], 0, -1)) do
  local grant = KEYS[1] .. 'grant:' .. grant_id
  if call('EXISTS', grant) == 1 then
    count = count + call('HSETNX', grant, 'revoked_at', ARGV[1])
  else
    call('ZREM', KEYS[2], grant_id)
  end
end
return count`

// Each condition is about one member of the grant's JSON; '' means no condition. The resource 'null' selects grants
// without a resource; 'session' excludes offline grants.
// KEYS: root, of the user. ARGV: now, client_id or '', resource or '', 'session' or ''
const REVOKE_OF_USER = `
local function isSelected(json)
  local record = cjson.decode(json)
  if ARGV[2] ~= '' and record.client_id ~= ARGV[2] then return false end
  if ARGV[3] == 'null' and record.resource ~= cjson.null then return false end
  if ARGV[3] ~= '' and ARGV[3] ~= 'null' and record.resource ~= ARGV[3] then return false end
  return ARGV[4] == '' or not record.offline
end
local count = 0
for _, grant_id in ipairs(call('ZRANGE', KEYS[2], 0, -1)) do
  local grant = KEYS[1] .. 'grant:' .. grant_id
  local record = call('HGET', grant, 'grant')
  if not record then
    call('ZREM', KEYS[2], grant_id)
  elseif isSelected(record) then
    count = count + call('HSETNX', grant, 'revoked_at', ARGV[1])
  end
end
return count`

// KEYS: root, by end. ARGV: now, client_id, end of the time in which the grants were created, grant ids
const REVOKE_OF_CLIENT = `
local count = 0
for i = 4, #ARGV do
  local grant = KEYS[1] .. 'grant:' .. ARGV[i]
  local json = call('HGET', grant, 'grant')
  local record = json and cjson.decode(json)
  if record and record.client_id == ARGV[2] and record.created_at < tonumber(ARGV[3]) then
    count = count + call('HSETNX', grant, 'revoked_at', ARGV[1])
  end
end
return count`

// KEYS: root, of the user
const LIST = `
local found = {}
for _, grant_id in ipairs(call('ZRANGE', KEYS[2], 0, -1)) do
  local grant = KEYS[1] .. 'grant:' .. grant_id
  local fields = call('HMGET', grant, 'grant', 'expires_at', 'revoked_at', 'client_auth', 'jkt')
  if fields[1] then found[#found + 1] = fields end
end
return found`

// KEYS: root, by end. ARGV: now, limit
const DELETE_EXPIRED = `
local ids = call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, grant_id in ipairs(ids) do
  local grant = KEYS[1] .. 'grant:' .. grant_id
  for _, field in ipairs(call('HKEYS', grant)) do
    if field:find('^code:') or field:find('^token:') then call('DEL', KEYS[1] .. field) end
  end
  for _, index in ipairs(call('HMGET', grant, 'of_user', 'of_session')) do
    if index then call('ZREM', KEYS[1] .. index, grant_id) end
  end
  call('UNLINK', grant, KEYS[1] .. 'spent-of:' .. grant_id)
  call('ZREM', KEYS[2], grant_id)
end
return #ids`

/** The value of a hash field; null when the field does not exist. */
export type Field = string | null

export interface GrantScripts {
  create: Script<null>
  /** The code or token, the time at which it was spent, and five fields of its grant; null for an unknown pointer. */
  find: Script<Field[] | null>
  spend: Script<number>
  renew: Script<number>
  revoke: Script<number>
  revokeOfSession: Script<number>
  revokeOfUser: Script<number>
  revokeOfClient: Script<number>
  /** For each grant: its fields `grant`, `expires_at`, `revoked_at`, `client_auth` and `jkt`. */
  list: Script<Field[][]>
  deleteExpired: Script<number>
}

export function grantScripts(redis: RedisConnection): GrantScripts {
  const script = scriptsOf(redis)
  return {
    create: script('ostiaryCreateGrant', 6, CREATE),
    find: script('ostiaryFindSpendable', 2, FIND),
    spend: script('ostiarySpend', 4, SPEND),
    renew: script('ostiaryRenewRefreshToken', 3, RENEW),
    revoke: script('ostiaryRevokeGrant', 1, REVOKE),
    revokeOfSession: script('ostiaryRevokeGrantsOfSession', 2, REVOKE_OF_SESSION),
    revokeOfUser: script('ostiaryRevokeGrantsOfUser', 2, REVOKE_OF_USER),
    revokeOfClient: script('ostiaryRevokeGrantsOfClient', 2, REVOKE_OF_CLIENT),
    list: script('ostiaryListGrants', 2, LIST),
    deleteExpired: script('ostiaryDeleteExpiredGrants', 2, DELETE_EXPIRED),
  }
}
