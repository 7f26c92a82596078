/** The operations on the metadata documents of clients whose `client_id` is a URL. */

import type { ClientDocument } from '@ostiary/core'
import * as z from 'zod'
import { type Call, operation } from '../operation.js'
import { pageOfList } from '../page.js'
import { notFound, present } from '../problem.js'
import { requireChangeable } from '../protect.js'
import { EPOCH, NULLABLE, PAGE, pageOf } from '../schemas.js'
import { CLIENT_READS } from './clients.js'

const shownDocument = z.object({
  client_id: z.string().describe('Its URL'),
  document: z.string().describe('The text that was fetched'),
  etag: NULLABLE,
  last_modified: NULLABLE,
  fetched_at: EPOCH.describe('When its host last confirmed it'),
  fresh_until: EPOCH,
  changed_at: EPOCH.describe('A consent from before does not count'),
  expires_at: EPOCH,
})
const ONE = '/clients/{client_id}/document'

/** @throws ProblemError 404 */
const found = async ({ management, params }: Call): Promise<ClientDocument> =>
  present(await management.clients.documents.find(params.client_id ?? ''))

export const CLIENT_DOCUMENTS = [
  operation({
    ...CLIENT_READS,
    id: 'client_documents.list',
    path: '/client-documents',
    summary: 'List the stored metadata documents of clients, sorted by client_id',
    query: z.strictObject(PAGE),
    answers: { 200: pageOf(shownDocument) },
    async run(call, { query }) {
      const { list } = call.management.clients.documents
      const idOf = ({ client_id }: ClientDocument) => client_id
      return { body: await pageOfList(call, { list: 'client documents', query, read: list, idOf }) }
    },
  }),
  operation({
    ...CLIENT_READS,
    id: 'client_documents.get',
    path: ONE,
    summary: 'The stored metadata document of a client',
    answers: { 200: shownDocument },
    run: async (call) => ({ body: await found(call) }),
  }),
  operation({
    id: 'clients.forget',
    method: 'DELETE',
    path: ONE,
    summary: 'Forget the stored metadata document of a client: each user is asked for consent again',
    area: 'clients',
    access: 'write',
    answers: { 200: z.object({ client_id: z.string(), forgotten: z.literal(true) }) },
    async run(call) {
      const { client_id } = await found(call)
      const { find, documents } = call.management.clients
      await requireChangeable(call, { client_id, before: await find(client_id), after: null })
      if (!(await documents.forget(client_id))) throw notFound()
      return { body: { client_id, forgotten: true } }
    },
  }),
]
