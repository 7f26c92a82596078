/** The answers while the server starts: its port is bound before its database is opened. */

import { healthz } from './health.js'
import { json, readOnly, refused } from './responses.js'
import type { Handler } from './runtime.js'

export const starting: Handler = (request) => {
  const { pathname } = new URL(request.url)
  if (pathname === '/healthz') return readOnly(request, healthz)
  if (pathname === '/readyz') return readOnly(request, async () => json(503, { status: 'starting' }))
  const error_description = 'The server is starting. Try again in a second.'
  const headers = { 'retry-after': '1' }
  return refused({ status: 503, error: 'temporarily_unavailable', error_description, headers }, false)
}
