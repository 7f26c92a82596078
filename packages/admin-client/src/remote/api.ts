/** Requests to the admin API about one realm. */

import type { AdminConnection } from '../connection/connection.js'
import { ApiRefusal, refusalOf } from './errors.js'
import { Planned, planIn } from './planned.js'

/** What an operation is called with. */
interface ApiCall {
  query?: Readonly<Record<string, string>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The operations of one realm. A path is its parts, which are escaped. */
export interface RealmApi {
  /** @throws ApiRefusal */
  send<Answer>(method: string, path: readonly string[], call?: ApiCall): Promise<Answer>
  /** Changes the record as it was read last at this address: another one stays, and the status is 412. */
  change<Answer>(method: string, path: readonly string[], call?: ApiCall): Promise<Answer>
  /** Reads a record; null when there is none. */
  find<Answer>(path: readonly string[]): Promise<Answer | null>
}

/** Null for what is not there. */
export async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return null
    throw error
  }
}

/** @param plans The first change is planned: it is not made, and ends the command. */
export function realmApi(connection: AdminConnection, realm: string, plans = false): RealmApi {
  /** By path. */
  const etags = new Map<string, string>()
  // Without a realm, it is about all of them.
  const addressOf = (path: readonly string[]) =>
    ['realms', ...(realm === '' ? [] : [realm]), ...path]
      .map((part) => `/${encodeURIComponent(part)}`)
      .join('')
  const send: RealmApi['send'] = async <Answer>(
    method: string,
    path: readonly string[],
    call: ApiCall = {},
  ) => {
    const address = addressOf(path)
    const is_planned = plans && method !== 'GET' && call.query?.dry_run === undefined
    const query = { ...call.query, ...(is_planned && { dry_run: 'true' }) }
    const answer = await connection.request({ method, path: address, ...call, query }).catch((error) => {
      throw refusalOf(error, path)
    })
    // A proxy or another server may answer in its place.
    const { status, body } = answer
    if (status >= 300 || typeof body !== 'object') throw new ApiRefusal({ status, problem: null }, path)
    if (is_planned) throw new Planned(planIn(answer, path))
    const etag = answer.headers.get('etag')
    if (etag !== null) etags.set(address, etag)
    return body as Answer
  }
  return {
    send,
    change(method, path, call = {}) {
      const etag = etags.get(addressOf(path))
      const headers = { ...call.headers, ...(etag !== undefined && { 'if-match': etag }) }
      return send(method, path, { ...call, headers })
    },
    async find<Answer>(path: readonly string[]) {
      const found = await orNull(send<Answer>('GET', path))
      // The API answers 404 for a realm that it does not have, too: then its list is not there.
      if (found === null) await send('GET', path.slice(0, 1), { query: { limit: '1' } })
      return found
    },
  }
}
