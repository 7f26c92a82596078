/** The operations on the other providers of a realm. The configuration has them; no answer has a secret. */

import * as z from 'zod'
import { type Call, operation } from '../operation.js'
import { present } from '../problem.js'
import { listOf, NULLABLE, TEXTS } from '../schemas.js'

const shownUpstream = z.object({
  id: z.string(),
  name: z.string().describe('On the button'),
  type: z.enum(['oidc', 'github']),
  issuer: NULLABLE,
  client_id: z.string(),
  authentication: z.enum(['client_secret', 'private_key']),
  redirect_uri: z.string().describe('To be registered at the provider'),
  backchannel_logout_uri: NULLABLE.describe('Where the provider sends logout tokens'),
  scopes: TEXTS.nullable().describe('Beside openid; null for the default ones'),
  signup: z.boolean(),
  link: z.enum(['signed_in', 'verified_email']),
  domains: TEXTS,
  authoritative_domains: TEXTS,
  tenants: TEXTS,
  only: z.boolean(),
  require_second_factor: z.boolean(),
  groups: z.object({ claim: z.string(), map: z.record(z.string(), z.string()) }).nullable(),
  key: z.string().describe('Where the configuration has it'),
})
const upstreamCheck = z.object({
  id: z.string(),
  asked: z.boolean().describe('False at GitHub'),
  ready: z.boolean().describe('Whether a sign-in can begin'),
  reason: NULLABLE,
  hint: NULLABLE.describe('What to do'),
})
const ONE = '/upstreams/{upstream}'
const READS = { method: 'GET', area: 'realms', access: 'read' } as const

const readerOf = async (call: Call) => (await call.parts()).upstreams

/** @throws ProblemError 404 */
async function found(call: Call) {
  const { list } = await readerOf(call)
  return present(list.find(({ id }) => id === call.params.upstream))
}

export const UPSTREAMS = [
  operation({
    ...READS,
    id: 'upstreams.list',
    path: '/upstreams',
    summary: 'List the other providers',
    answers: { 200: listOf(shownUpstream) },
    run: async (call) => ({ body: { items: (await readerOf(call)).list } }),
  }),
  operation({
    ...READS,
    id: 'upstreams.get',
    path: ONE,
    summary: 'One',
    answers: { 200: shownUpstream },
    run: async (call) => ({ body: await found(call) }),
  }),
  operation({
    id: 'upstreams.check',
    method: 'POST',
    path: `${ONE}/check`,
    summary: 'Ask a provider for its discovery document and keys, and say what is wrong',
    area: 'realms',
    access: 'write',
    answers: { 200: upstreamCheck },
    async run(call) {
      const { id } = await found(call)
      if (call.is_planned) return { body: { id, asked: false, ready: true, reason: null, hint: null } }
      return { body: await (await readerOf(call)).check(id) }
    },
  }),
]
