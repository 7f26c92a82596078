/** `GET /oauth/authorize/resume`: continues a pending request after a login. Only its `id` is read from the query. */

import { decide, redirectErrors } from '../authorize/decide.js'
import { staleRequest } from '../authorize/login.js'
import { findRequest } from '../authorize/pending-request.js'
import { storedTarget } from '../authorize/redirect-target.js'
import type { Context } from '../realm/context.js'
import { query } from '../request/read-params.js'

export async function resume(c: Context): Promise<Response> {
  const token = query(c).get('id')
  const waiting = token === null ? null : await findRequest(c, token)
  if (waiting === null) return staleRequest(c)
  const { request } = waiting.pending
  const target = await storedTarget(c, request)
  return redirectErrors(c, target, () => decide(c, { target, request, waiting }))
}
