/** Rows that were used must not get old in the memory of V8: see `queriesOf` and `poolWatch`. */

import { promotedBytes } from '@ostiary/test-kit/memory/promoted-bytes'
import { expect, it, onTestFinished } from 'vitest'
import { ownDatabase } from './_setup.js'

const ROW_BYTES = 16_000

it('a row that was found does not get old', async () => {
  const { executor, drop } = await ownDatabase()
  onTestFinished(drop)
  let found = 0
  const query = async () => {
    const rows = await executor.query(
      `select repeat('x', ${ROW_BYTES}) as text from generate_series(1, $1::int)`,
      [1],
    )
    found += rows.length
  }
  expect(await promotedBytes(query)).toBeLessThan(ROW_BYTES / 4)
  expect(found).toBeGreaterThan(0)
})
