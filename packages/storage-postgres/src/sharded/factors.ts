/** The factors of a database whose tables of people are divided by their bucket. */

import { bucketByTag } from '@ostiary/core'
import type { Factor } from '@ostiary/identity'
import type { Database } from '../connection/row-finder.js'
import { columnList, FACTOR, PLACE } from '../stores/columns.js'
import { type FactorChanges, factorStore } from '../stores/factors.js'
import { pageInBuckets } from './buckets.js'

const PAGE = `
  select ${columnList(FACTOR)} from oidc_factors
  where ${PLACE} and factor_id > $3 order by factor_id limit $4`

/** A page has the order of the buckets, and then of `factor_id`. */
export const factorStoreInBuckets = (db: Database, realm: string): FactorChanges => ({
  ...factorStore(db, realm),
  page: (page) =>
    pageInBuckets(page, bucketByTag, (bucket, after) =>
      db.query<Factor>(PAGE, [realm, bucket, after, page.limit]),
    ),
})
