/** A command whose row cannot be written changes nothing, and says so in a sentence. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../src/index.ts'
import { SECRET } from './support.ts'

it('a command has its row, and without the row it changes nothing', async () => {
  const DATABASE_URL = await migratedDatabase()
  const executor = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => executor.close())
  const cwd = await temporaryFolder()
  const config = { app: { url: 'http://localhost:4000' }, audit: { enabled: true } }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  const command = async (line: string) => {
    const output: string[] = []
    const write = (text: string) => void output.push(text)
    const env = { OIDC_SECRET: SECRET, DATABASE_URL, SUDO_USER: 'ann' }
    const terminal = { env, cwd, out: write, err: write, stdin: async () => '' }
    const code = await run(line.split(' '), { serve: async () => 0 }, terminal)
    return { code, text: output.join('') }
  }
  const create = (id: string) => command(`client create --id ${id} --redirect-uri https://app.example.com/cb`)
  expect((await create('one')).code).toBe(0)
  const { text } = await command('audit list --type client.')
  expect(text).toMatch(/client\.create +done +cli:ann@\S+ +- +one/)
  expect((await command('audit verify')).code).toBe(0)
  await executor.query('alter table oidc_audit rename to gone')
  expect(await create('two')).toEqual({
    code: 1,
    text: 'ostiary: Nothing was changed, because the audit could not be written: the database does not answer\n',
  })
  expect(await executor.query('select client_id from oidc_clients')).toEqual([{ client_id: 'one' }])
})
