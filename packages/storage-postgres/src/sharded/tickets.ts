/** The tickets of a database whose tables of people are divided by their bucket. */

import type { Ticket, TicketStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import type { Database } from '../connection/row-finder.js'
import { LIST_OF_BUCKET, ticketStore } from '../stores/tickets.js'
import { pageInBuckets } from './buckets.js'

/** A list has the order of the buckets, and then of `sub`. */
export const ticketStoreInBuckets = (db: Database, realm: string): TicketStore => ({
  ...ticketStore(db, realm),
  list: ({ purpose, ...page }) =>
    pageInBuckets(page, bucketByHash, (bucket, after) =>
      db.query<Ticket>(LIST_OF_BUCKET, [realm, purpose, after, page.limit, bucket]),
    ),
})
