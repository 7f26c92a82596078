/** The answers while the server starts: its port is bound before its database is opened. */

import { healthz } from './health.js'
import { json, RESTORED, type Refusal, readOnly, refused } from './responses.js'
import type { Handler } from './runtime.js'

const answerAll =
  (readyz: object, refusal: Refusal): Handler =>
  (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/healthz') return readOnly(request, healthz)
    if (pathname === '/readyz') return readOnly(request, async () => json(503, readyz))
    return refused(refusal, false)
  }

export const starting: Handler = answerAll(
  { status: 'starting' },
  {
    status: 503,
    error: 'temporarily_unavailable',
    error_description: 'The server is starting. Try again in a second.',
    headers: { 'retry-after': '1' },
  },
)

/** While the database is refused, because it was restored. */
export const restored: Handler = answerAll({ status: 'unavailable', database: 'restored' }, RESTORED)
