/**
 * Servers of the release before go on working on a database that was migrated to this release. `_previous-release.json` has the statements
 * of that release: what `statements()` of its own _statements.ts returned. A release replaces the file by its statements before it adds a
 * migration, and then tests here what both read of each other's records. Until the first step is added, both releases are this one.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../src/migrations/list.js'
import PREVIOUS from './_previous-release.json' with { type: 'json' }
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { statements } from './_statements.js'

describe('two releases on one database', () => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  it.each(Object.entries(PREVIOUS))('the database understands %s of the release before', async (_, texts) => {
    for (const text of texts) {
      await database.executor.transaction(async (tx) => {
        await tx.query(`prepare previous as ${text}`)
        await tx.query('deallocate previous')
      })
    }
  })

  it('the file has every operation of the schema that it is about', async () => {
    const asked = new Set((await statements()).map(({ name }) => name))
    expect(MIGRATIONS).toHaveLength(1)
    expect(Object.keys(PREVIOUS).sort()).toEqual([...asked].sort())
  })
})
