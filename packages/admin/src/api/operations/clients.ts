/** The operations on clients. Each change goes through `provider.manage()`. */

import { bareSchema, type Client, clientInput, type NewClient, readBy } from '@ostiary/core'
import * as z from 'zod'
import { mergedMembers } from '../merge-patch.js'
import { type Answer, type Call, operation } from '../operation.js'
import { existing, pageOfList } from '../page.js'
import { canonical, etagOf, requireAbsent, requireMatch, requireNoneNamed } from '../preconditions.js'
import { ProblemError, present, refusalOf } from '../problem.js'
import { changeFault, protectionOf, refuseConfigured, requireChangeable } from '../protect.js'
import { EPOCH, IDS, OVERWRITE, PAGE, PROTECTION, pageOf, withProtection } from '../schemas.js'

/** Random characters of a secret that the caller brings. */
const MIN_SECRET = 32

const described = clientInput.omit({ client_id: true })
const CONFIDENTIAL = { confidential: z.boolean().optional() }
const OWN_MEMBERS = {
  ...CONFIDENTIAL,
  client_id: z.string().optional().describe('As in the address'),
  client_secret: z
    .string()
    .min(MIN_SECRET)
    .optional()
    .describe(`A random secret of at least ${MIN_SECRET} characters; it is never shown`),
  client_secret_hash: z
    .string()
    .optional()
    .describe('In place of client_secret: its SHA-256 in base64url without padding; it is never shown'),
}
const putBody = described.extend(OWN_MEMBERS)
/** Without the defaults: what a patch leaves out stays. */
const patchBody = z
  .strictObject(
    Object.fromEntries(
      Object.entries(described.shape).map(([name, schema]) => [
        name,
        bareSchema(schema as z.ZodType)
          .nullable()
          .optional(),
      ]),
    ),
  )
  .extend(CONFIDENTIAL)
const shownClient = z.looseObject({
  client_id: z.string(),
  client_name: z.string(),
  origin: z.enum(['operator', 'registered', 'metadata_document']),
  client_id_issued_at: EPOCH,
  revoked_at: EPOCH.nullable(),
  client_secret: z.string().optional().describe('Only in the answer that has made it'),
})
const origin = shownClient.shape.origin
  .optional()
  .describe('Only such clients: a page may be short, or empty')
const secretAnswer = z.object({ client_id: z.string(), client_secret: z.string() })
const AREA = { area: 'clients', access: 'write' } as const
export const CLIENT_READS = { method: 'GET', area: 'clients', access: 'read' } as const
const ONE = '/clients/{client_id}'

const shown = ({ client_secret_hash: _, ...client }: Client) => client

const answerOf = (client: Client, more: { status?: number; client_secret?: string | null } = {}) => {
  const { status = 200, client_secret = null } = more
  const body = shown(client)
  return {
    status,
    headers: { etag: etagOf(body) },
    body: client_secret === null ? body : { ...body, client_secret },
  }
}

/** @throws ProblemError 404 */
const found = async ({ management, params }: Call): Promise<Client> =>
  present(await management.clients.find(params.client_id ?? ''))

const configuredPath = ({ configured, params }: Call): string | undefined =>
  configured.clients.find(({ metadata }) => metadata.client_id === params.client_id)?.path

const requireNotConfigured = (call: Call): void => refuseConfigured(configuredPath(call))

async function get(call: Call, is_shown: boolean | undefined): Promise<Answer> {
  const before = await found(call)
  const { headers, body } = answerOf(before)
  if (!is_shown) return { headers, body }
  const fault = await changeFault(call, { client_id: before.client_id, before, after: null })
  return { headers, body: { ...body, ...protectionOf(fault?.needs ?? null, configuredPath(call)) } }
}

/** @throws ProblemError 409 for a client that described itself: an operator's description would make it another one. */
function requireOperators({ origin }: Client): void {
  if (origin === 'operator') return
  throw new ProblemError(
    'conflict',
    'The client registered itself, or has a metadata document: change single members with PATCH',
  )
}

type PutBody = z.output<typeof putBody>

/** @throws ProblemError 400 */
function requireId(client_id: string): void {
  const fault = readBy(clientInput.shape.client_id, client_id).error?.issues[0]?.message
  if (fault !== undefined) throw new ProblemError('invalid_request', `client_id: ${fault}`)
}

async function put(call: Call, body: PutBody, overwrite: boolean | undefined): Promise<Answer> {
  const client_id = call.params.client_id ?? ''
  if (body.client_id !== undefined && body.client_id !== client_id)
    throw refusalOf('invalid_request', '/client_id', 'The client_id is in the address, and cannot change')
  requireId(client_id)
  requireNotConfigured(call)
  const input = { ...body, client_id } as NewClient & { client_id: string }
  const stored = await call.management.clients.find(client_id)
  await requireChangeable(call, { client_id, before: stored, after: input })
  if (stored === null) return created(call, input)
  const etag = etagOf(shown(stored))
  requireAbsent(call.request, etag)
  requireOperators(stored)
  const planned = await call.plans.clients.ensure(input, { plan: true })
  if (canonical(planned.client) === canonical(stored)) return answerOf(stored)
  requireMatch({ request: call.request, overwrite }, etag)
  const { client, client_secret } = await call.management.clients.ensure(input, { expected: stored })
  // A secret that the caller has sent is not sent back.
  return answerOf(client, { client_secret: body.client_secret === undefined ? client_secret : null })
}

async function created(call: Call, input: NewClient & { client_id: string }): Promise<Answer> {
  requireNoneNamed(call.request)
  const { client, client_secret } = await call.management.clients.create(input)
  return answerOf(client, {
    status: 201,
    client_secret: input.client_secret === undefined ? client_secret : null,
  })
}

async function patch(
  call: Call,
  changes: Record<string, unknown>,
  overwrite: boolean | undefined,
): Promise<Answer> {
  requireNotConfigured(call)
  const stored = await found(call)
  const { client_id } = stored
  const merged = mergedMembers(stored, changes)
  await requireChangeable(call, { client_id, before: stored, after: { ...stored, ...merged } })
  const planned = await call.plans.clients.update(client_id, merged, { plan: true })
  if (planned?.changed.length === 0) return answerOf(stored)
  requireMatch({ request: call.request, overwrite }, etagOf(shown(stored)))
  const updated = await call.management.clients.update(client_id, merged, { expected: stored })
  const { client, client_secret } = present(updated)
  return answerOf(client, { client_secret })
}

/** A client that the caller may end, or give another secret. */
async function changeable(call: Call): Promise<Client> {
  requireNotConfigured(call)
  const stored = await found(call)
  await requireChangeable(call, { client_id: stored.client_id, before: stored, after: null })
  return stored
}

export const CLIENTS = [
  operation({
    id: 'clients.list',
    ...CLIENT_READS,
    path: '/clients',
    summary: 'List clients, sorted by client_id',
    query: z.strictObject({ ...PAGE, client_id: IDS, origin }),
    answers: { 200: pageOf(shownClient) },
    async run(call, { query: { client_id: ids, origin: from, ...query } }) {
      const { find, list } = call.management.clients
      const page = { list: 'clients', query, read: list, idOf: ({ client_id }: Client) => client_id }
      const keeps = (client: Client) => client.origin === from
      if (ids !== undefined) {
        if (from !== undefined) throw refusalOf('invalid_request', '?client_id', 'give it without origin')
        return { body: { items: (await existing(ids, find)).map(shown), next: null } }
      }
      const { items, next } = await (from === undefined
        ? pageOfList(call, page)
        : pageOfList(call, { ...page, filter: { origin: from }, keeps }))
      return { body: { items: items.map(shown), next } }
    },
  }),
  operation({
    id: 'clients.get',
    ...CLIENT_READS,
    path: ONE,
    summary: 'A client',
    query: PROTECTION,
    answers: { 200: withProtection(shownClient) },
    has_etag: true,
    run: (call, { query }) => get(call, query.protection),
  }),
  operation({
    id: 'clients.put',
    method: 'PUT',
    path: ONE,
    summary: 'Create a client, or replace all that is set of it',
    ...AREA,
    query: z.strictObject(OVERWRITE),
    needs_match: true,
    body: putBody,
    answers: { 200: shownClient, 201: shownClient },
    has_etag: true,
    run: (call, { query, body }) => put(call, body, query.overwrite),
  }),
  operation({
    id: 'clients.patch',
    method: 'PATCH',
    path: ONE,
    summary: 'Change members of a client; null is the default',
    ...AREA,
    query: z.strictObject(OVERWRITE),
    needs_match: true,
    body: patchBody,
    is_patch: true,
    answers: { 200: shownClient },
    has_etag: true,
    run: (call, { query, body }) => patch(call, body, query.overwrite),
  }),
  operation({
    id: 'clients.delete',
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a client with its grants and the consents to it',
    ...AREA,
    recent: true,
    query: z.strictObject(OVERWRITE),
    needs_match: true,
    answers: {
      200: z.object({ client_id: z.string(), grants: z.int(), consents: z.int(), id_free_at: EPOCH }),
    },
    async run(call, { query }) {
      const stored = await changeable(call)
      requireMatch({ request: call.request, ...query }, etagOf(shown(stored)))
      const { client_id } = stored
      return { body: { client_id, ...present(await call.management.clients.delete(client_id)) } }
    },
  }),
  operation({
    id: 'clients.secret',
    method: 'POST',
    path: `${ONE}/secret`,
    summary: 'Give a client a new secret; the old one is refused at once',
    ...AREA,
    answers: { 200: secretAnswer },
    async run(call) {
      const { client_id } = await changeable(call)
      const { client_secret } = present(await call.management.clients.rotateSecret(client_id))
      return { body: { client_id, client_secret } }
    },
  }),
  operation({
    id: 'clients.revoke',
    method: 'POST',
    path: `${ONE}/revoke`,
    summary: 'Revoke a client for good',
    ...AREA,
    answers: { 200: shownClient },
    has_etag: true,
    async run(call) {
      const { client_id, revoked_at } = await changeable(call)
      if (revoked_at === null) await call.management.clients.revoke(client_id)
      return answerOf(await found(call))
    },
  }),
]
