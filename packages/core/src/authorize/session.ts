/**
 * The login session behind the browser's cookie. The cookie is read and written by hand, because the `cookie` package does
 * not fit (measured with 2.0.2): it returns the first value of a repeated name, which must count as no session; given
 * each pair by itself it takes 2.7 µs instead of 1.3 µs to read one cookie of four; and it needs Node 22.
 */

import { higherAcr } from '../realm/acr.js'
import type { Context } from '../realm/context.js'
import type { LoginOrigin } from '../realm/events.js'
import type { Account } from '../realm/ports.js'
import type { Realm } from '../realm/realm.js'
import type { RaisedSession, Session } from '../storage/storage.js'
import { newTaggedId, newTaggedSecret, personTag, presentedHash, taggedHash, tagOf } from '../storage/tag.js'
import { looksSecret } from '../util/shown-value.js'

/** The session of a browser, and its user. */
export interface UserSession {
  session: Session
  user: Account
}

/** The session of the cookie, if it has not ended and its user still exists. */
export async function userSession(c: Context): Promise<UserSession | null> {
  const session = await currentSession(c)
  const user = session && (await c.accounts.find(session.sub, c.realm, session))
  if (!session || !user) return null
  recordUse(c, session)
  return { session, user }
}

/** Seconds between two writes of a session's last use. */
const USE_INTERVAL_SECONDS = 900

/** Not awaited, and a failure is ignored: the time is for display only, and the request must not wait for it. */
function recordUse(c: Context, { sid, created_at, last_used_at }: Session): void {
  if (c.now() - (last_used_at ?? created_at) < USE_INTERVAL_SECONDS) return
  c.storage.sessions.touch(sid, c.now()).catch(() => {})
}

/** The session of the cookie, if it has not ended; the user is not looked up. */
export async function currentSession(c: Context): Promise<Session | null> {
  const secret = sessionCookie(c)
  const session_hash = secret === null ? null : presentedHash(c.hashes, secret)
  const session = session_hash === null ? null : await c.storage.sessions.find(session_hash)
  return session && session.expires_at > c.now() ? session : null
}

/** The cookie's secret; its session is not looked up. A repeated name counts as absent, since one value may be planted. */
export function sessionCookie(c: Context): string | null {
  const { name } = cookieOf(c.realm)
  const values: string[] = []
  for (const pair of (c.request.headers.get('cookie') ?? '').split(';')) {
    const text = pair.trim()
    const equals = text.indexOf('=')
    if (equals > 0 && text.slice(0, equals) === name) values.push(text.slice(equals + 1))
  }
  const [only] = values
  return only !== undefined && only !== '' && values.length === 1 ? only : null
}

interface NewSession {
  sub: string
  auth_time: number | null
  amr: string[]
  acr: string | null
}

/** A login, and what its event says beside the session. */
export interface ReportedLogin {
  login: NewSession
  origin: LoginOrigin
}

/** A session, and the cookie that gives it to the browser. */
export interface BrowserSession {
  session: Session
  cookie: string
}

/** Each login gets a new session, against session fixation. Returns it with the cookie to set. */
export async function startSession(c: Context, { login, origin }: ReportedLogin): Promise<BrowserSession> {
  const tag = personTag(login.sub)
  const secret = newTaggedSecret(c.random, tag)
  const lifetime = c.realm.settings.session.absolute_lifetime
  const session: Session = {
    ...login,
    sid: newTaggedId(c.random, c.now(), tag),
    session_hash: taggedHash(c.hashes, secret),
    created_at: c.now(),
    raised_at: null,
    expires_at: c.now() + lifetime,
    user_agent: userAgent(c.request),
    last_used_at: null,
    client_ids: [],
  }
  await c.storage.sessions.create(session)
  c.emit({ type: 'session.started', sub: session.sub, sid: session.sid, amr: session.amr, ...origin })
  return { session, cookie: serialize(c.realm, secret, lifetime) }
}

/**
 * The user of the session has authenticated again: it goes on with its grants and clients, under a new cookie. Tokens that exist
 * keep their `acr`. Null when the session has ended, or another login has raised it since it was read.
 */
export async function raiseSession(
  c: Context,
  session: Session,
  { login, origin }: ReportedLogin,
): Promise<BrowserSession | null> {
  const tag = tagOf(session.sid)
  const secret = newTaggedSecret(c.random, tag)
  const raised: RaisedSession = {
    session_hash: taggedHash(c.hashes, secret),
    auth_time: login.auth_time,
    amr: [...new Set([...session.amr, ...login.amr])],
    acr: higherAcr(session.acr, login.acr, c.realm.settings),
    raised_at: c.now(),
  }
  const { sid, sub, expires_at } = session
  if (!(await c.storage.sessions.raise(sid, raised, session.session_hash))) return null
  c.emit({ type: 'session.raised', sub, sid, amr: raised.amr, acr: raised.acr, ...origin })
  const cookie = serialize(c.realm, secret, expires_at - c.now())
  return { session: { ...session, ...raised }, cookie }
}

/** A browser's `User-Agent` is shorter; what is longer is cut. */
const MAX_USER_AGENT_CHARACTERS = 255
const MAX_USERNAME_CHARACTERS = 255

/** Printable ASCII, which every browser sends: every database stores it, and no terminal or page misreads it. */
function userAgent({ headers }: Request): string | null {
  const printable = (headers.get('user-agent') ?? '').replace(/[^ -~]/g, '')
  return printable.slice(0, MAX_USER_AGENT_CHARACTERS).trim() || null
}

/** For the event of a login. A log shows no text that may be a secret in the wrong header. */
export function loginOrigin(c: Context, client_id: string | null, username?: string): LoginOrigin {
  const agent = userAgent(c.request)
  return {
    client_id,
    username: username?.slice(0, MAX_USERNAME_CHARACTERS) ?? null,
    address: c.peer === null ? c.address : null,
    user_agent: agent === null || looksSecret(agent) ? null : agent,
  }
}

export const expiredCookie = (realm: Realm): string => serialize(realm, '', 0)

function serialize(realm: Realm, value: string, max_age: number): string {
  const { name, secure } = cookieOf(realm)
  return `${name}=${value}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/**
 * With the prefix `__Host-`, browsers accept the cookie from this host only: another subdomain cannot plant one. The prefix
 * requires `Path=/`, so the name of the cookie has the id of a realm that has a path.
 */
function cookieOf(realm: Realm): { name: string; secure: boolean } {
  const secure = realm.issuer.startsWith('https:')
  const name = realm.path === '' ? 'ostiary_session' : `ostiary_session.${realm.id}`
  return { name: secure ? `__Host-${name}` : name, secure }
}
