/** The programs of docs/embed-it.md that name a client start a second time on the same database. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownDatabase } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { EMBED_START, firstToken, start, TSX } from './embed-start.ts'
import { readPage, shownCode } from './shown-code.ts'

const EMBED_APP = fileURLToPath(new URL('../../../examples/embed-app/src', import.meta.url))
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

it('no other program of the page names a client', () => {
  const naming = shownCode('docs/embed-it.md').filter(({ parts }) => parts.join('').includes('clients.'))
  const run = [...RUN_HERE.map(([file]) => `examples/embed-start/${file}`), 'examples/embed-app/src/index.ts']
  expect(new Set(naming.map(({ path }) => path))).toEqual(new Set(run))
})

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

it('embed-app makes its provider and its client, and again after it is started anew', async () => {
  const source = onDatabase(readPage('examples/embed-app/src/index.ts'), await ownDatabase())
  const path = join(EMBED_APP, '.run-twice.ts')
  const options = `{ issuer: 'http://localhost:3000', secret: '${SECRET}' }`
  writeFileSync(path, `${source}\nawait createApp(${options})\nprocess.exit(0)\n`)
  try {
    for (const _ of ['first', 'second']) {
      const child = spawn(process.execPath, ['--import', TSX, path], { cwd: EMBED_APP, stdio: 'inherit' })
      expect(await once(child, 'close')).toEqual([0, null])
    }
  } finally {
    rmSync(path, { force: true })
  }
})
