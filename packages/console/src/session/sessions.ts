/**
 * The sessions of the console. What a session has is sealed in a row, which is never changed: each minute in which it is used, it gets a new
 * row and a new value of its cookie, and the row before ends by itself. So no store needs more than to put, find and take a row.
 */

import { hashOf, randomText, type Sealer } from '../web/seal.js'

/** Rows that expire: `pending` of a realm's storage. */
export interface SessionRows {
  /** False when the hash has a row already. */
  put(row: SessionRow): Promise<boolean>
  find(pending_hash: string): Promise<object | null>
  /** One of several callers gets it. */
  take(pending_hash: string): Promise<object | null>
}

/** One row. */
export interface SessionRow {
  kind: 'sealed'
  pending_hash: string
  /** Epoch seconds. */
  expires_at: number
  sealed: string
}

/** A private key of DPoP proofs, as a JWK (RFC 7518 §6.2). */
export interface ProofKey {
  kty: string
  crv: string
  x: string
  y: string
  d: string
}

/** Who has signed in, and the token. Times are epoch seconds. */
export interface SignedIn {
  sub: string
  name: string
  access_token: string
  /** The private key of DPoP proofs; null where tokens are not bound to one. */
  dpop_key: ProofKey | null
  /** When the user has proved who it is. */
  auth_time: number
}

/** A session. */
export interface ConsoleSession extends SignedIn {
  /** Of its forms. */
  csrf_token: string
  ends_at: number
  touched_at: number
}

/** A session that was found. */
interface FoundSession {
  session: ConsoleSession
  /** The new value of its cookie; null when the one that was sent is still good. */
  renewed: string | null
}

export interface Sessions {
  /** Returns the value of the cookie. */
  begin(signed_in: SignedIn): Promise<string>
  /** Null for a session that has ended. */
  find(cookie: string): Promise<FoundSession | null>
  end(cookie: string): Promise<void>
}

/** Seconds from the sign-in to the end. */
export const MAX_SESSION_SECONDS = 28_800
/** Seconds without a request after which it ends. */
export const MAX_IDLE_SECONDS = 1800
/** Seconds for which a row stands for a session that is used. */
const ROW_SECONDS = 60

interface SessionsOptions {
  rows: SessionRows
  sealer: Sealer
  /** Epoch seconds. */
  now: () => number
}

/** A place in the order of the rows of a session. */
interface Place {
  id: string
  step: number
}

export function createSessions({ rows, sealer, now }: SessionsOptions): Sessions {
  const store = async (place: Place, session: ConsoleSession): Promise<string> => {
    const pending_hash = hashAt(place)
    const expires_at = Math.min(session.touched_at + MAX_IDLE_SECONDS, session.ends_at)
    const sealed = sealer.seal(session, pending_hash)
    // False: another request of the browser has done it, in the same minute.
    await rows.put({ kind: 'sealed', pending_hash, expires_at, sealed })
    return `${place.id}.${place.step}`
  }
  const read = async (place: Place): Promise<ConsoleSession | null> => {
    const pending_hash = hashAt(place)
    const row = (await rows.find(pending_hash)) as SessionRow | null
    if (row?.kind !== 'sealed' || row.expires_at <= now()) return null
    return sealer.open(row.sealed, pending_hash) as ConsoleSession | null
  }
  return {
    begin(signed_in) {
      const at = now()
      const own = { csrf_token: randomText(), ends_at: at + MAX_SESSION_SECONDS, touched_at: at }
      return store({ id: randomText(), step: 0 }, { ...signed_in, ...own })
    },
    async find(cookie) {
      const place = placeOf(cookie)
      const session = await read(place)
      if (session === null) return null
      const touched_at = now()
      if (touched_at - session.touched_at < ROW_SECONDS) return { session, renewed: null }
      const next = { id: place.id, step: place.step + 1 }
      return { session, renewed: await store(next, { ...session, touched_at }) }
    },
    async end(cookie) {
      const { id, step } = placeOf(cookie)
      const take = (at: number) => rows.take(hashAt({ id, step: at }))
      await take(step)
      let later = step + 1
      while ((await take(later)) !== null) later += 1
      // Earlier ones that have expired may be there or not.
      for (let at = step - 1; at >= Math.max(0, step - LIVE_ROWS); at -= 1) await take(at)
    },
  }
}

/** Rows of one session that have not expired. */
const LIVE_ROWS = MAX_IDLE_SECONDS / ROW_SECONDS

const hashAt = ({ id, step }: Place): string => hashOf('console', id, String(step))

function placeOf(cookie: string): Place {
  const [id = '', step = ''] = cookie.split('.')
  return { id, step: Number(step) }
}
