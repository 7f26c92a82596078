/** The operations on the counters of limits. */

import { isIP } from 'node:net'
import * as z from 'zod'
import { given } from '../given.js'
import { type Answer, type Call, operation } from '../operation.js'
import type { ThrottleSelection } from '../parts.js'
import { refusalOf } from '../problem.js'
import { requireBelow } from '../protect.js'
import { EPOCH, listOf, TEXT } from '../schemas.js'
import { named } from './user-search.js'
import { READS, WRITES } from './users.js'

const selection = z.strictObject({
  username: TEXT.describe('Counters of this account, whether it exists or not'),
  address: z
    .string()
    .refine((text) => isIP(text) !== 0, 'give an IP address, such as 192.0.2.1 or 2001:db8::1')
    .optional()
    .describe('Counters of this client address, and of its IPv6 /48'),
})
const shownThrottle = z.object({
  limit: z.string(),
  counted: z.int(),
  maximum: z.int(),
  until: EPOCH,
})

/** @throws ProblemError 400 without an account and an address. */
function selected({ username, address }: z.output<typeof selection>): ThrottleSelection {
  if (username === undefined && address === undefined)
    throw refusalOf('invalid_request', '?', 'Give username, address, or both')
  return given({ username, address })
}

/** The limits protect an account against who guesses its password: those of an account beyond the caller's own role stay. */
async function reset(call: Call, query: z.output<typeof selection>): Promise<Answer> {
  const counters = selected(query)
  const user = query.username === undefined ? null : await named(call, query.username)
  if (user !== null) await requireBelow(call, user.sub)
  const { throttles } = await call.parts()
  const run = async () => ({ reset: await throttles.reset(counters) })
  const change = { realm: call.realm, type: 'throttle.reset', ...(user && { sub: user.sub }) }
  return { body: await (call.audit?.change(change, run) ?? run()) }
}

const PATH = '/throttles'

export const THROTTLES = [
  operation({
    ...READS,
    id: 'throttles.list',
    path: PATH,
    summary: 'List the counters of an account or an address that are not zero',
    query: selection,
    answers: { 200: listOf(shownThrottle) },
    async run(call, { query }) {
      const named = selected(query)
      const { throttles } = await call.parts()
      return { body: { items: await throttles.list(named) } }
    },
  }),
  operation({
    ...WRITES,
    id: 'throttles.reset',
    method: 'DELETE',
    path: PATH,
    summary: 'Reset the counters of an account or an address, which may try again at once',
    query: selection,
    answers: { 200: z.object({ reset: z.int() }) },
    run: (call, { query }) => reset(call, query),
  }),
]
