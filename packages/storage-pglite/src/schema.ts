/** Names the schema that this version knows, without loading the statements that make it. */

import { createHash } from 'node:crypto'

/** The checksum of `MIGRATIONS` of `@ostiary/storage-postgres`: change it with them, to what schema.test.ts says. */
export const SCHEMA = '2286b54e'

/** The checksum of these steps, as `SCHEMA` has it. */
export const schemaOf = (steps: readonly object[]): string => shortHash(steps)

export const shortHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
