/** The first programs of docs/embed-it.md start a second time on the same database; apps/docs-tests does it with the others. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { EMBED_START, firstToken, start } from './embed-start.ts'

const POSTGRES = new URL('../../../packages/storage-postgres/dist/index.js', import.meta.url)
const SECRET = 'only-for-tests-only-for-tests-only-for-tests'

/** The program with its records in this database, and with the same secret at each start. */
function onDatabase(program: string, database: string): string {
  const memory = "import { memoryStorage } from '@ostiary/core/memory'"
  const names = 'migrations, postgresExecutor, postgresStorage'
  expect(program).toContain(memory)
  expect(program).toContain('memoryStorage()')
  return program
    .replace(
      memory,
      `import { ${names} } from '${POSTGRES}'
const executor = postgresExecutor('${database}')
await migrations(executor).setUp()`,
    )
    .replaceAll('memoryStorage()', 'postgresStorage(executor)')
    .replaceAll('crypto.randomUUID()', `'${SECRET}'`)
}

const RUN_HERE: [file: string, signs_in: Record<string, string>][] = [
  ['development.ts', { sub: 'ann' }],
  ['server.ts', { password: 'correct horse' }],
]

it.each(RUN_HERE)('%s leads to a token, and again after it is started anew', async (file, signs_in) => {
  const port = await freePort()
  const program = onDatabase(readFileSync(join(EMBED_START, file), 'utf8'), await ownDatabase())
  for (const _ of ['first', 'second']) {
    const { stop } = await start(program.replaceAll('3000', `${port}`), port)
    try {
      expect(await firstToken(`http://localhost:${port}`, signs_in)).toMatchObject({ sub: 'ann' })
    } finally {
      await stop()
    }
  }
})
