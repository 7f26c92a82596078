import type { ClientDocument, ClientDocumentStore } from '@ostiary/core'
import { won } from '../connection/executor.js'
import { type Database, findRow } from '../connection/row-finder.js'
import { CLIENT_DOCUMENT, columnList, excludedColumns, insertRecord } from './columns.js'

const FIND = findRow(`
  select ${columnList(CLIENT_DOCUMENT)} from oidc_client_documents where realm = key.realm and client_id = key.id`)

const PUT = `
  ${insertRecord('oidc_client_documents', CLIENT_DOCUMENT)}
  on conflict (realm, client_id) do update set ${excludedColumns(CLIENT_DOCUMENT)}
    where oidc_client_documents.fetched_at <= excluded.fetched_at`

/** Two statements, as for clients. */
const page = (after: string) => `
  select ${columnList(CLIENT_DOCUMENT)} from oidc_client_documents
  where realm = $1 ${after} order by client_id limit $2`
const FIRST_PAGE = page('')
const NEXT_PAGE = page('and client_id > $3')

const DELETE = 'delete from oidc_client_documents where realm = $1 and client_id = $2 returning client_id'

export function clientDocumentStore(db: Database, realm: string): ClientDocumentStore {
  return {
    find: (client_id) => db.find<ClientDocument>(FIND, { realm, id: client_id }),
    async put(document) {
      await db.query(PUT, [realm, JSON.stringify(document)])
    },
    list: ({ after, limit }) =>
      after === undefined
        ? db.query<ClientDocument>(FIRST_PAGE, [realm, limit])
        : db.query<ClientDocument>(NEXT_PAGE, [realm, limit, after]),
    delete: (client_id) => won(db.query(DELETE, [realm, client_id])),
  }
}
