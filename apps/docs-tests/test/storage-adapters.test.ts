/** The adapter of docs/storage-adapters.md compiles and passes the conformance suite. */

import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { fencesOf } from './fences.ts'
import { compile } from './snippets.ts'

const files = fencesOf('docs/storage-adapters.md').map(({ code, begins }) => ({
  name: begins.slice(3),
  code,
}))
const { folder, remove } = await compile(files)
afterAll(remove)

it('each snippet is a file', () => {
  expect(files.map(({ name }) => name)).toEqual([
    'pending-in-redis.ts',
    'pending-in-redis.test.ts',
    'use-it.ts',
  ])
})

// The page's own test file: it registers the suite here.
await import(/* @vite-ignore */ join(folder, 'pending-in-redis.test.ts'))
