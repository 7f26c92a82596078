/** The types of the rows that this package writes are known to `audit undo`, and to a sink that names what it gets. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { KEPT } from '@ostiary/audit'
import { expect, it } from 'vitest'
import { UNDO } from '../../admin-commands/src/audit/history/undo-rules.ts'
import { CHANGE_TYPES } from '../../audit-sinks/src/row-types.ts'

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url))
/** Other texts of this form are the types of events. */
const TYPES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => [...readFileSync(SOURCE + path, 'utf8').matchAll(/\btype: '([a-z]+[._][a-z_]+)'/g)])
  .map(([, type = '']) => type)
  .filter((type) => !Object.hasOwn(KEPT, type))

it('are found', () => {
  expect(TYPES).toContain('role.grant')
  expect(TYPES).toContain('admin.refused')
})

it.each([...new Set(TYPES)])('%s', (type) => {
  expect(typeof UNDO[type]).toBe('string')
  expect(CHANGE_TYPES).toContain(type)
})
