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

/** Commands over a database of their own, with the audit on. */
async function commands() {
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
  const json = async (line: string) =>
    JSON.parse((await command(`${line} --json`)).text.replace(/^\{"time".*\n/gm, ''))
  const create = (id: string) => command(`client create --id ${id} --redirect-uri https://app.example.com/cb`)
  return { executor, command, create, json }
}

it('a command has its row, and without the row it changes nothing', async () => {
  const { executor, command, create } = await commands()
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

it('a client and a user are shown as they were, and a change of each is undone', async () => {
  const { command, create, json } = await commands()
  const idOf = async (type: string) => (await json(`audit list --type ${type}`)).rows[0].audit_id
  await create('notes')
  await command('client update notes --name Other --trusted true')
  const update = await idOf('client.update')
  const { time } = (await json('audit list --type client.create')).rows[0]
  const from = new Date(time * 1000).toISOString().replace('.000Z', 'Z')
  expect(await json(`audit record --client notes --at ${from}`)).toMatchObject({
    exists: true,
    not_certain: {},
  })
  const plan = await command(`audit undo ${update} --plan`)
  expect(plan).toMatchObject({
    code: 0,
    text: expect.stringMatching(/\nclient_name +Other +notes\ntrusted +true +false\n$/),
  })
  const unasked = await command(`audit undo ${update}`)
  expect(unasked).toMatchObject({ code: 2, text: expect.stringContaining('give --yes') })
  expect(await json('client show notes')).toMatchObject({ client_name: 'Other', trusted: true })
  const undone = await command(`audit undo ${update} --yes`)
  expect(undone.text).toMatch(
    /"event":"command\.done".*"command":"audit undo".*"fields":\["client_name","trusted"\]/,
  )
  expect(undone.text).toContain('\nUndone: client_name, trusted\n')
  expect(await json('client show notes')).toMatchObject({ client_name: 'notes', trusted: false })
  expect(await json(`audit show ${await idOf('audit.undo')}`)).toMatchObject({
    outcome: 'done',
    actor: expect.stringMatching(/^cli:ann@/),
    client_id: 'notes',
    data: { undone: update },
  })
  await command('client update notes --name Third')
  expect(await command(`audit undo ${await idOf('audit.undo')}`)).toMatchObject({ code: 1 })
  expect(await command(`audit undo ${update} --yes`)).toMatchObject({
    code: 1,
    text: 'ostiary: client notes has changed since, so nothing is undone:\nostiary: client_name is Third now\n',
  })
  await command('user create bob --sub bob-1')
  await command('user disable bob')
  await command(`audit undo ${await idOf('user.update')} --yes`)
  expect(await json('user show bob')).toMatchObject({ disabled_at: null })
  expect(await json('audit diff --user bob --from 0m')).toMatchObject({ sub: 'bob-1', doubts: [] })
})
