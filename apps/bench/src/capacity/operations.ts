/** The statements that a server sends for one operation, on the records of records.ts. */

import { randomBytes } from 'node:crypto'
import {
  type AuthorizationCode,
  type CodeRedemption,
  type Grant,
  personTag,
  type Session,
  tagOf,
} from '@ostiary/core'
import { type Executor, postgresStorage, postgresUsers } from '@ostiary/storage-postgres'
import {
  clientOf,
  firstLiveOf,
  grantId,
  REALM,
  type Size,
  sessionHash,
  sessionId,
  subOf,
  tokenHash,
  userOf,
  usersFor,
} from './records.js'

export interface Operation {
  name: string
  /** How often it is run. */
  times: number
  run(): Promise<unknown>
}

const DAY_SECONDS = 86_400
/** A prime number: steps of this size reach every row once. */
const STEP = 7919

/** @param times How often each operation is run. */
export function operations(executor: Executor, size: Size, times: number): Operation[] {
  return [
    ...readingOperations(executor, size, times),
    ...grantOperations(executor, size, times),
    ...sessionOperations(executor, size, times),
    {
      name: 'Purge: at most 10,000 expired grants',
      times: 1,
      run: () => postgresStorage(executor)(REALM).purge(size.now),
    },
  ]
}

function readingOperations(executor: Executor, size: Size, times: number): Operation[] {
  const { grants } = postgresStorage(executor)(REALM)
  const users = postgresUsers(executor)(REALM)
  return [
    {
      name: 'UserInfo, introspection',
      times,
      async run() {
        const grant = liveGrant(size)
        await grants.find(grantId(grant, size))
        await users.find(subOf(userOf(grant)))
      },
    },
  ]
}

function grantOperations(executor: Executor, size: Size, times: number): Operation[] {
  const { now } = size
  const { grants, sessions } = postgresStorage(executor)(REALM)
  const users = postgresUsers(executor)(REALM)
  const firstLive = firstLiveOf(size.grants)
  const nextToken = eachOnce(size.grants - firstLive)
  const codes: string[] = []
  return [
    {
      name: 'Authorization of a signed-in user',
      times,
      async run() {
        const row = liveGrant(size)
        const session_hash = sessionHash(userOf(row))
        await sessions.find(session_hash)
        await users.find(subOf(userOf(row)))
        const grant = newGrant(row, size)
        const code = newCode(grant)
        await grants.create(grant, code)
        codes.push(code.code_hash)
        await sessions.find(session_hash)
      },
    },
    {
      name: 'Redemption of a code',
      times,
      async run() {
        const code_hash = codes.pop() ?? ''
        const found = await grants.findCode(code_hash)
        if (!found) throw new Error('The code was not found')
        await users.find(found.grant.sub)
        await grants.redeemCode(code_hash, successor(found.grant.grant_id, now), now)
      },
    },
    {
      name: 'Refresh',
      times,
      async run() {
        const token_hash = tokenHash(firstLive + nextToken())
        const found = await grants.findRefreshToken(token_hash)
        if (!found) throw new Error('The refresh token was not found')
        await users.find(found.grant.sub)
        await grants.rotateRefreshToken(token_hash, successor(found.grant.grant_id, now), now)
      },
    },
  ]
}

function sessionOperations(executor: Executor, size: Size, times: number): Operation[] {
  const { now } = size
  const { grants, sessions } = postgresStorage(executor)(REALM)
  const users = postgresUsers(executor)(REALM)
  const nextSession = eachOnce(usersFor(size.grants))
  return [
    {
      name: 'Sign-in: the account and the session',
      times,
      async run() {
        const user = anyOf(usersFor(size.grants))
        await users.findByUsername(`user${user}@example.com`)
        await sessions.create(newSession(user, now))
      },
    },
    {
      name: 'Sign-out: the session and its grants',
      times,
      async run() {
        const sid = sessionId(nextSession(), size)
        await sessions.end(sid, now, 30)
        await grants.revoke({ sid }, now)
        await sessions.forget(sid)
      },
    },
  ]
}

const random = (): string => randomBytes(32).toString('base64url')
const timedId = (now: number, tag: string): string => now.toString(16) + random().slice(0, 22) + tag
const anyOf = (rows: number): number => Math.floor(Math.random() * rows)

function liveGrant({ grants }: Size): number {
  const firstLive = firstLiveOf(grants)
  return firstLive + anyOf(grants - firstLive)
}

/** Numbers below `rows`, each once: a token that was spent, or a session that has ended, is another operation. */
function eachOnce(rows: number): () => number {
  let next = anyOf(rows)
  return () => {
    next = (next + STEP) % rows
    return next
  }
}

const newGrant = (row: number, size: Size): Grant => ({
  grant_id: timedId(size.now, personTag(subOf(userOf(row)))),
  client_id: clientOf(row),
  sub: subOf(userOf(row)),
  sid: sessionId(userOf(row), size),
  offline: false,
  scopes: ['openid', 'email'],
  resource: null,
  auth_time: size.now,
  amr: ['pwd'],
  acr: '1',
  client_auth: null,
  jkt: null,
  created_at: size.now,
  expires_at: size.now + DAY_SECONDS,
  revoked_at: null,
})

const newCode = ({ grant_id, expires_at }: Grant): AuthorizationCode => ({
  code_hash: random() + tagOf(grant_id),
  grant_id,
  redirect_uri: 'https://app.example.com/callback',
  redirect_uri_sent: true,
  code_challenge: random(),
  nonce: null,
  dpop_jkt: null,
  expires_at,
  redeemed_at: null,
})

const successor = (grant_id: string, now: number): CodeRedemption => ({
  refresh_token: {
    token_hash: random() + tagOf(grant_id),
    grant_id,
    created_at: now,
    expires_at: now + DAY_SECONDS,
    spent_at: null,
  },
  grant_expires_at: now + DAY_SECONDS,
  client_auth: 'none',
  jkt: null,
})

const newSession = (user: number, now: number): Session => ({
  sid: timedId(now, personTag(subOf(user))),
  session_hash: random() + personTag(subOf(user)),
  sub: subOf(user),
  auth_time: now,
  amr: ['pwd'],
  acr: '1',
  created_at: now,
  expires_at: now + 30 * DAY_SECONDS,
  user_agent: 'Firefox/142.0 Windows',
  raised_at: null,
  last_used_at: now,
  client_ids: [],
})
