/** The server with the embedded database is killed under load. */

import { join } from 'node:path'
import { pgliteExecutor } from '@ostiary/storage-pglite'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { expect, it, onTestFinished } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { killUnderLoad } from './kills.ts'
import { broken, NOTHING_BROKEN } from './ledger.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'
import { config, NOTHING_TWICE, sites } from './two-realms.ts'

const KILLS = WEEKLY ? 20 : 5

it(`${KILLS} times SIGKILL in embedded mode: the data opens again, with every acknowledged write`, async () => {
  const DATA_DIR = await temporaryFolder()
  const server = await provider({ config, env: { DATA_DIR } })
  const { ledger, counts } = await killUnderLoad(server, await sites(server, 2), KILLS)
  await server.kill()
  const database = await pgliteExecutor(join(DATA_DIR, 'pglite'))
  onTestFinished(() => database.close())
  const found = await broken(database, ledger)
  report('SIGKILL under load in embedded mode', { ...counts, ...found })
  expect(ledger.faults).toEqual([])
  expect(counts).toMatchObject({ kills: KILLS, ...NOTHING_TWICE })
  expect(found).toEqual(NOTHING_BROKEN)
})
