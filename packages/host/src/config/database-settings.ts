/** The `database.*` keys: how the server uses the PostgreSQL that `database_url` names. */

import * as z from 'zod'

const MAX_POOL_SIZE = 1000
const MAX_STATEMENT_SECONDS = 600
/** A range of 16 buckets. */
const MAX_SHARDS = 256
const wholeNumber = () => z.number({ error: 'give a whole number' }).int()

export const databaseSchema = z.strictObject({
  pool_size: wholeNumber()
    .min(1)
    .max(MAX_POOL_SIZE)
    .default(10)
    .describe(
      'The largest number of connections to PostgreSQL of one process; with database.shards as many for the home database, and half as many for each range',
    ),
  prepare: z
    .boolean()
    .default(true)
    .describe(
      'Whether statements are prepared. false: behind a pooler that loses them, such as PgBouncer in transaction mode before 1.21',
    ),
  statement_timeout: wholeNumber()
    .min(0)
    .max(MAX_STATEMENT_SECONDS)
    .default(5)
    .describe(
      'Seconds that a statement may take, as the startup parameter statement_timeout. 0: the limit of the server or of the role; no parameter is sent',
    ),
  sharded: z
    .boolean()
    .default(false)
    .describe(
      'Whether database_url is a proxy that divides the records among several PostgreSQL by the column bucket',
    ),
  shards: wholeNumber()
    .min(1)
    .max(MAX_SHARDS)
    .default(1)
    .describe(
      'With database.sharded: how many PostgreSQL there are, each with a range of buckets of the same size. While one does not answer, its users get 503',
    ),
})

/** The `database.*` keys: how the server uses the PostgreSQL that `database_url` names. */
export type DatabaseSettings = z.output<typeof databaseSchema>
