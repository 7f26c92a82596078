/** The types of the rows that this package writes are known to `audit undo`, and to a sink that names what it gets. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { UNDO } from '../../admin-commands/src/audit/history/undo-rules.ts'
import { CHANGE_TYPES } from '../../audit-sinks/src/row-types.ts'

const SOURCE = fileURLToPath(new URL('../src/changes.ts', import.meta.url))
const TYPES = [...readFileSync(SOURCE, 'utf8').matchAll(/\btype: '([a-z]+[._][a-z_]+)'/g)].map(
  ([, type = '']) => type,
)

it('are found', () => {
  expect(TYPES.sort()).toEqual(['realm.create', 'realm.delete', 'realm.update'])
})

it.each(TYPES)('%s', (type) => {
  expect(typeof UNDO[type]).toBe('string')
  expect(CHANGE_TYPES).toContain(type)
})
