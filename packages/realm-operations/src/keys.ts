/** The operations on the signing keys of a realm. No answer has a private part. */

import { SIGNING_ALGORITHMS } from '@ostiary/core'
import * as z from 'zod'
import { EPOCH } from './lists.js'
import { operation, type RealmCall } from './operation.js'
import { notFound, OperationError } from './operation-error.js'

const shownKey = z.object({
  kid: z.string(),
  alg: z.enum(SIGNING_ALGORITHMS),
  created_at: EPOCH,
  signs_from: EPOCH,
})
const rotation = z.strictObject({
  alg: z.enum(SIGNING_ALGORITHMS).optional().describe('Needed where oidc.keys.algorithms lists several'),
  publish_before: z
    .number()
    .int()
    .min(0)
    .max(31_536_000)
    .optional()
    .describe('Seconds until it signs; those of oidc.keys.publish_before when absent'),
})
const AREA = { area: 'keys', recent: true } as const

async function rotate(
  { management }: RealmCall,
  { alg, publish_before }: z.output<typeof rotation>,
): Promise<{ status: number; body: unknown }> {
  const wanted = { ...(alg && { alg }), ...(publish_before !== undefined && { publish_before }) }
  const key = await management.keys.rotate(wanted).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error
    const [name = ''] = error.message.split(':', 1)
    const errors = [{ pointer: `/${name}`, message: error.message }]
    throw new OperationError('invalid_request', { detail: error.message, errors })
  })
  return { status: 201, body: key }
}

export const KEYS = [
  operation({
    ...AREA,
    id: 'keys.list',
    method: 'GET',
    path: '/keys',
    summary: 'List the signing keys',
    access: 'read',
    answers: { 200: z.object({ items: z.array(shownKey) }) },
    async run({ management }) {
      // The first key of each algorithm is made when it is asked for.
      await management.keys.ready()
      return { body: { items: await management.keys.list() } }
    },
  }),
  operation({
    ...AREA,
    id: 'keys.rotate',
    method: 'POST',
    path: '/keys',
    summary: 'Publish a new signing key, which signs later',
    access: 'write',
    body: rotation,
    answers: { 201: shownKey },
    run: (call, { body }) => rotate(call, body),
  }),
  operation({
    ...AREA,
    id: 'keys.revoke',
    method: 'DELETE',
    path: '/keys/{kid}',
    summary: 'Withdraw a signing key that has leaked: what it has signed is refused',
    access: 'write',
    answers: { 200: z.object({ items: z.array(shownKey) }) },
    async run({ management, params }) {
      const { kid = '' } = params
      const known = await management.keys.list()
      if (!known.some((key) => key.kid === kid) || !(await management.keys.revoke(kid))) throw notFound()
      return { body: { items: await management.keys.list() } }
    },
  }),
]
