/** docs/embed-it.md begins with two programs. They are short, and lead to a token as they are. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { EMBED_START, firstToken, start } from './embed-start.ts'

it.each([
  { file: 'development.ts', fewer_than: 15, signs_in: { sub: 'ann' } },
  { file: 'server.ts', fewer_than: 30, signs_in: { password: 'correct horse' } },
])('$file has fewer than $fewer_than lines, and leads to a token', async ({ file, fewer_than, signs_in }) => {
  const program = readFileSync(join(EMBED_START, file), 'utf8')
  const lines = program.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeLessThan(fewer_than)
  const port = await freePort()
  const { stop } = await start(program.replaceAll('3000', String(port)), port)
  try {
    const claims = await firstToken(`http://localhost:${port}`, signs_in)
    expect(claims).toMatchObject({ sub: 'ann', name: 'Ann Example' })
  } finally {
    await stop()
  }
})
