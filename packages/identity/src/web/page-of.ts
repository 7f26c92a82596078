/** A page of records in memory. */

import { copied } from '@ostiary/core/memory'

/** In the order of a key. */
export const pageOf = <Key extends string, Row extends Record<Key, string>>(
  rows: Iterable<Row>,
  key: Key,
  { after = '', limit }: { after?: string; limit: number },
): Row[] =>
  copied(
    [...rows]
      .filter((row) => row[key] > after)
      .sort((a, b) => (a[key] < b[key] ? -1 : 1))
      .slice(0, limit),
  )
