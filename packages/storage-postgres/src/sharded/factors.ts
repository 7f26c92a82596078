/** The factors of a database whose tables of people are divided by their bucket. */

import { BUCKETS, bucketByTag } from '@ostiary/core'
import type { Factor, FactorStore } from '@ostiary/identity'
import type { Database } from '../connection/row-finder.js'
import { columnList, FACTOR } from '../stores/columns.js'
import { factorStore } from '../stores/factors.js'
import { ALL_BUCKETS, inBuckets } from './buckets.js'

const PAGE = `
  select ${columnList(FACTOR)} from oidc_factors
  where realm = $1 and bucket = $2 and factor_id > $3 order by factor_id limit $4`

/** A page has the order of the buckets, and then of `factor_id`. */
export const factorStoreInBuckets = (db: Database, realm: string): FactorStore => ({
  ...factorStore(db, realm),
  async page({ after = '', limit }) {
    const first_bucket = after === '' ? 0 : bucketByTag(after)
    const factorsIn = (bucket: number) =>
      db.query<Factor>(PAGE, [realm, bucket, bucket === first_bucket ? after : '', limit])
    const isEnough = (found: readonly Factor[][]) => found.flat().length >= limit
    const found = await inBuckets(ALL_BUCKETS.slice(first_bucket, BUCKETS), factorsIn, isEnough)
    return found.flat().slice(0, limit)
  },
})
