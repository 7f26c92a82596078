import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('counts pairs of keys for ceilings alone: each caller of countUnderCeiling has a row in throttles-table.test.ts', () => {
  const folder = new URL('../src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const callers = files
    .filter((name) => name.endsWith('.ts') && !name.startsWith('storage/'))
    .filter((name) => /\bhitBoth\b/.test(readFileSync(new URL(name, folder), 'utf8')))
  expect(callers).toEqual(['request/ceiling.ts'])
})
