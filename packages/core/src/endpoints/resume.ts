/** `GET /oauth/authorize/resume`: goes on with a stored request after a login. The stored request counts, not the query. */

import type { Context } from '../context.js'
import { answering, authorize } from '../steps/authorization.js'
import { findStoredRequest, staleRequest } from '../steps/login.js'
import { query } from '../steps/params.js'
import { storedTarget } from '../steps/redirect-target.js'

export async function resume(c: Context): Promise<Response> {
  const token = query(c).get('id')
  const stored = token === null ? null : await findStoredRequest(c, token)
  if (stored === null) return staleRequest(c)
  const { request } = stored.pending
  const target = await storedTarget(c, request)
  return answering(c, target, () => authorize(c, { target, request, stored }))
}
