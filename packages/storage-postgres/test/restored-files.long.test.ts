/** A database whose files were restored in other ways than lineage.test.ts has, or whose standby was promoted. */

import { type ReplicatedPostgres, startReplication } from '@ostiary/local-services/replication'
import { eventually } from '@ostiary/test-kit/eventually'
import postgres from 'postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lineageWatch, migrations, recordLineage } from '../src/index.js'
import { askedOf, EARLIER, open, restored, TO_TARGET } from './_lineage.js'

describe('after a restore of the files', () => {
  it('to a point in time, every server refuses the database, also when the settings are reset', async () => {
    const { executor, lost } = await restored((now) => ({ recovery_target_time: now }))
    expect(lost).toBe(true)
    expect(await askedOf(executor)).toBe(TO_TARGET)
    await executor.query('alter system reset recovery_target_time')
    expect(await askedOf(executor)).toBe(EARLIER)
    expect(await recordLineage(executor)).toBe(true)
    expect(await askedOf(executor)).toBe(true)
  })

  it('to the end of the log, nothing is lost: the database is used', async () => {
    const { executor, watch, lost } = await restored(() => ({}))
    expect(lost).toBe(false)
    expect([await askedOf(executor, watch), await askedOf(executor)]).toEqual([true, true])
  })
})

/** Resolves when the standby has every table. */
async function replicated({ standby }: ReplicatedPostgres): Promise<void> {
  const admin = postgres(standby.url, { max: 1 })
  await eventually(async () => expect(await admin`select from oidc_database`).toHaveLength(1))
  await admin.end()
}

it.each([true, false])(
  'a standby that was promoted is used, by servers that ran and by new ones; one of them reports it. Synchronous: %j',
  async (synchronous) => {
    const servers = await startReplication({ synchronous })
    onTestFinished(() => servers.stop())
    const executor = open(servers.primary.url)
    await migrations(executor).migrate()
    const watch = lineageWatch()
    expect(await askedOf(executor, watch)).toBe(true)
    await replicated(servers)
    if (!synchronous) {
      await servers.standby.disconnect()
      // More than the standby writes by itself when it is promoted.
      await executor.query("create table lost as select repeat('x', 500) from generate_series(1, 20000)")
      expect(await askedOf(executor, watch)).toBe(true)
    }
    await servers.primary.kill()
    await servers.standby.promote()
    const promoted = open(servers.standby.url)
    expect([await askedOf(promoted, watch), await askedOf(promoted)]).toEqual([true, true])
    const another = lineageWatch()
    expect(await askedOf(promoted, another)).toBe(true)
    expect([await watch.storeFailover(promoted), await another.storeFailover(promoted)]).toEqual([
      true,
      false,
    ])
    expect(await askedOf(promoted, watch)).toBe(true)
    expect(await watch.storeFailover(promoted)).toBe(false)
  },
)
