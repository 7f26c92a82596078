/** Sign-in by address: what the commands enter, and what a server enters after its start. Commands run in this process. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStores } from '@ostiary/storage-postgres'
import type { CleanUp } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { configFor, startServer } from '@ostiary/test-kit/server'
import { expect, it, vi } from 'vitest'
import { database } from './commands.ts'

vi.setConfig({ testTimeout: 300_000 })

const WITH_EMAIL = { sign_in_with: ['username', 'email'] }
const configured = (port: number) => ({
  ...configFor('http://localhost:8080/callback')(port),
  identity: WITH_EMAIL,
})
const ON = { config: configured(3000) }
const CONFIRMED = '--claim email=Mia@Example.com --claim email_verified=true'

async function place(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  const entries = postgresStores(made.executor).addresses('default')
  const shown = async (name = 'mia') => {
    const { stdout } = await made.quick(`user show ${name}`, ON)
    return /^Signs in with the email address: (.*)$/m.exec(stdout)?.[1]
  }
  return { ...made, entries, shown, find: (key: string) => entries.find(key) }
}

it('commands enter an address with the user, and user show says whether it signs in', async ({
  onTestFinished,
}) => {
  const { quick, find, shown } = await place(onTestFinished)
  expect((await quick(`user create mia --sub mia-1 ${CONFIRMED}`, ON)).code).toBe(0)
  expect(await find('mia@example.com')).toEqual([{ sub: 'mia-1' }])
  expect(await shown()).toBe('yes')
  const taken = await quick('user create mia@example.com', ON)
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('taken')])
  await quick(`user create twin ${CONFIRMED}`, ON)
  expect(await shown()).toBe('no: another user has confirmed it too')
  await quick('user delete twin --yes', ON)
  expect(await shown()).toBe('yes')
  await quick('user update mia --claim email_verified=false', ON)
  expect([await find('mia@example.com'), await shown()]).toEqual([[], undefined])
})

it('without the key, nothing is entered and nothing is said', async ({ onTestFinished }) => {
  const { quick, find, json } = await place(onTestFinished)
  await quick(`user create mia ${CONFIRMED}`)
  expect(await find('mia@example.com')).toEqual([])
  expect((await quick('user show mia')).stdout).not.toContain('Signs in with the email')
  expect(await json('user show mia', quick)).not.toHaveProperty('address')
})

it('an import of users, and of a realm, enters their addresses', async ({ onTestFinished }) => {
  const { quick, find, shown, users } = await place(onTestFinished)
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-addresses-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [lines, exported] = [join(folder, 'users.jsonl'), join(folder, 'realm.jsonl')]
  await writeFile(lines, '{"username":"mia","sub":"mia-1","email":"mia@example.com","email_verified":true}\n')
  expect((await quick(`user import ${lines}`, ON)).code).toBe(0)
  expect(await find('mia@example.com')).toEqual([{ sub: 'mia-1' }])
  await writeFile(exported, (await quick('export', ON)).stdout)
  const other = await place(onTestFinished)
  expect((await other.quick(`import ${exported}`, ON)).code).toBe(0)
  expect(await other.users.find('mia-1')).toMatchObject({ username: 'mia' })
  expect(await other.find('mia@example.com')).toEqual([{ sub: 'mia-1' }])
  expect([await users.find('mia-1'), await shown()]).toMatchObject([{}, 'yes'])
})

it('a server enters the users that were stored before', async ({ onTestFinished }) => {
  const { quick, find, shown, env } = await place(onTestFinished)
  await quick(`user create mia --sub mia-1 ${CONFIRMED}`)
  expect(await shown()).toMatch(/^not yet/)
  const server = await startServer({ config: configured, env })
  onTestFinished(async () => void (await server.stop()))
  await eventually(async () => expect(await find('mia@example.com')).toContainEqual({ sub: 'mia-1' }))
  expect(await shown()).toBe('yes')
})
