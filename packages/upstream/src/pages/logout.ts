/** A session has ended at an upstream: those that it has begun here end too (OpenID Connect Back-Channel Logout 1.0 §2.5 to §2.8). */

import type { Arrival } from '@ostiary/identity'
import type { EndedSession } from '../protocol/trip.js'
import { markOf } from '../rules/marks.js'
import type { Ways } from '../ways.js'

export async function postLogout(c: Arrival, ways: Ways, id: string): Promise<Response> {
  const form = await c.form()
  const tokens = form instanceof Response ? [] : form.getAll('logout_token')
  const [token] = tokens
  if (token === undefined || tokens.length > 1)
    return answer(400, 'logout_token is missing, or is there twice')
  const ended = await ways.ended(c.realm.id, id, token)
  if ('reason' in ended) return answer(ended.reason === 'unreachable' ? 503 : 400, ended.reason)
  const { issuer, subject, jti, expires_at } = ended
  if (!(await c.claim(JSON.stringify(['logout', issuer, jti]), expires_at)))
    return answer(400, 'the token was used before')
  const link = await ways.links(c.realm.id).find(issuer, subject)
  if (link !== null) await endSessions(c, link.sub, ended)
  return answer(200)
}

async function endSessions(c: Arrival, sub: string, ended: EndedSession): Promise<void> {
  const sessions = await c.sessions()
  const mark = markOf(ended)
  for (const { sid } of await sessions.list(sub)) {
    // What another session claims is free again at once.
    const is_other = await c.claim(`${mark} ${sid}`, c.now())
    if (!is_other) await sessions.end(sid, 'logout')
  }
}

/** §2.8. The provider's developer reads it. */
function answer(status: number, error_description?: string): Response {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json' }
  const body = error_description === undefined ? null : { error: 'invalid_request', error_description }
  return new Response(body && JSON.stringify(body), { status, headers })
}
