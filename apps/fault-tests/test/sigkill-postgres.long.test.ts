/** The server is killed under load: nothing is spent twice, and every token that a client received is known. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFinished } from 'vitest'
import { killUnderLoad } from './kills.ts'
import { broken, NOTHING_BROKEN } from './ledger.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'
import { config, NOTHING_TWICE, sites } from './two-realms.ts'

const KILLS = 5

it(`${KILLS} times SIGKILL on Postgres: no code or refresh token succeeds twice, and none that was issued is unknown`, async () => {
  const DATABASE_URL = await ownDatabase()
  const server = await provider({ config, env: { DATABASE_URL } })
  const { ledger, counts } = await killUnderLoad(server, await sites(server, 3), KILLS)
  const database = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => database.close())
  const found = await broken(database, ledger)
  report('SIGKILL under load on Postgres', { ...counts, ...found })
  expect(ledger.faults).toEqual([])
  expect(counts).toMatchObject({ kills: KILLS, ...NOTHING_TWICE })
  expect(found).toEqual(NOTHING_BROKEN)
})
