/** `GET /oauth/authorize/resume`: continues a waiting request after a login. Only its `id` is read from the query. */

import type { Context } from '../context.js'
import { decide, redirectErrors } from '../steps/authorization.js'
import { staleRequest } from '../steps/login.js'
import { query } from '../steps/params.js'
import { storedTarget } from '../steps/redirect-target.js'
import { findRequest } from '../steps/waiting-request.js'

export async function resume(c: Context): Promise<Response> {
  const token = query(c).get('id')
  const waiting = token === null ? null : await findRequest(c, token)
  if (waiting === null) return staleRequest(c)
  const { request } = waiting.pending
  const target = await storedTarget(c, request)
  return redirectErrors(c, target, () => decide(c, { target, request, waiting }))
}
