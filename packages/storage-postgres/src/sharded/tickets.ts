/** The tickets of a database whose tables of people are divided by their bucket. */

import { BUCKETS, bucketByHash } from '@ostiary/core'
import type { Ticket, TicketStore } from '@ostiary/identity'
import type { Database } from '../connection/row-finder.js'
import { LIST_OF_BUCKET, ticketStore } from '../stores/tickets.js'
import { ALL_BUCKETS, inBuckets } from './buckets.js'

/** A list has the order of the buckets, and then of `sub`. */
export const ticketStoreInBuckets = (db: Database, realm: string): TicketStore => ({
  ...ticketStore(db, realm),
  async list({ purpose, after = '', limit }) {
    const first_bucket = after === '' ? 0 : bucketByHash(after)
    const ticketsIn = (bucket: number) => {
      const start = bucket === first_bucket ? after : ''
      return db.query<Ticket>(LIST_OF_BUCKET, [realm, purpose, start, limit, bucket])
    }
    const isEnough = (found: readonly Ticket[][]) => found.flat().length >= limit
    const found = await inBuckets(ALL_BUCKETS.slice(first_bucket, BUCKETS), ticketsIn, isEnough)
    return found.flat().slice(0, limit)
  },
})
