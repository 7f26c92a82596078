import { bucketByTag } from '@ostiary/core'
import type { Ticket, TicketStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import { first } from '../connection/executor.js'
import { type Database, findRow, hasKey, keyByTag } from '../connection/row-finder.js'
import { columnList, excludedColumns, insertOfPerson, PLACE, TICKET } from './columns.js'

const FIND = findRow(`
  select ${columnList(TICKET)} from oidc_tickets
  where ${hasKey('ticket_hash')}`)

/** A parallel one waits at the row of the first. */
const PUT = `${insertOfPerson('oidc_tickets', TICKET)}
  on conflict (realm, sub, purpose, bucket) do update set ${excludedColumns(TICKET)}`

const TAKE = `
  delete from oidc_tickets where ${PLACE} and ticket_hash = $3 returning ${columnList(TICKET)}`

/** @param where Which users; `$1` is the realm and `$2` the purpose. */
const ofPurpose = (where: string): string =>
  `select ${columnList(TICKET)} from oidc_tickets where realm = $1 and purpose = $2 and ${where}`
const FIND_OF = ofPurpose('sub = $3 and bucket = $4')
const LIST = ofPurpose('sub > $3 order by sub limit $4')
export const LIST_OF_BUCKET = ofPurpose('bucket = $5 and sub > $3 order by sub limit $4')

export const ticketStore = (db: Database, realm: string): TicketStore => ({
  async put(ticket) {
    await db.query(PUT, [realm, bucketByHash(ticket.sub), JSON.stringify(ticket)])
  },
  find: (ticket_hash) => db.find<Ticket>(FIND, keyByTag(realm, ticket_hash)),
  findOf: (sub, purpose) => first(db.query<Ticket>(FIND_OF, [realm, purpose, sub, bucketByHash(sub)])),
  list: ({ purpose, after = '', limit }) => db.query<Ticket>(LIST, [realm, purpose, after, limit]),
  take: (ticket_hash) => first(db.query<Ticket>(TAKE, [realm, bucketByTag(ticket_hash), ticket_hash])),
})
