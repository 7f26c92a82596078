/** Commands on the accounts at other providers with which users sign in; they run in this process. */

import type { Link, User } from '@ostiary/identity'
import type { CleanUp } from '@ostiary/test-kit/database'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { passkeyRecord } from '@ostiary/test-kit/factors/record'
import { expect, it, vi } from 'vitest'
import { database, giveGrant, makeAnn, startSession } from './commands.ts'

vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

const LINKED = 1_700_000_000
const GOOGLE = linkRecord('ann-1', {
  linked_at: LINKED,
  last_used_at: LINKED + 60,
  label: 'ann\u0007@corp.example',
})
const GITHUB = linkRecord('ann-1', {
  issuer: 'https://github.com',
  subject: '583231',
  upstream: 'github',
  label: 'ann',
  linked_at: LINKED + 1,
})

interface Given {
  links?: Link[]
  with_password?: boolean
}

/** Ann with a session, a grant, and links. */
async function withAnn(
  addCleanup: CleanUp,
  { links: add = [GOOGLE, GITHUB], with_password = true }: Given = {},
) {
  const made = await database(addCleanup)
  const { users, links, storage } = made
  const { sub, updated_at, ...ann } = await makeAnn(users)
  if (with_password)
    await users.update({ ...ann, sub, password_hash: 'hash', updated_at: updated_at + 1 }, updated_at)
  for (const [credential_version, link] of add.entries())
    expect(await links.add(link, { credential_version, now: LINKED })).toBe(true)
  await startSession(storage, 's-1')
  await giveGrant(storage, 'g-1', { offline: true })
  const state = async () => ({
    upstreams: (await links.list('ann-1')).map(({ upstream }) => upstream),
    credential_version: ((await users.find('ann-1')) as User).credential_version,
    sessions: (await storage.sessions.list('ann-1')).length,
    grants: (await storage.grants.list('ann-1', Math.floor(Date.now() / 1000))).length,
  })
  return { ...made, state }
}

const UNTOUCHED = { upstreams: ['google', 'github'], credential_version: 2, sessions: 1, grants: 1 }

it.concurrent('user links list and user show name them', async ({ onTestFinished }) => {
  const { quick, json } = await withAnn(onTestFinished)
  const { code, stdout, stderr } = await quick('user links list ann')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['UPSTREAM', 'NAME', 'LINKED', 'LAST USED', 'SUBJECT'],
    ['google', 'ann?@corp.example', '2023-11-14T22:13:20Z', '2023-11-14T22:14:20Z', GOOGLE.subject],
    ['github', 'ann', '2023-11-14T22:13:21Z', '-', '583231'],
    [''],
  ])
  const { sub: _, ...google } = GOOGLE
  const listed = await json('user links list ann', quick)
  expect(listed).toMatchObject({ sub: 'ann-1', username: 'ann', links: [google, { upstream: 'github' }] })
  expect((await quick('user show ann')).stdout).toContain('\nLinked accounts: google, github\n')
  expect(await json('user show ann', quick)).toMatchObject({ links: 2 })
  expect(await quick('user links list none')).toMatchObject({ code: 3 })
})

it.concurrent('user links remove asks, removes those at one provider, and ends sessions and grants', async ({
  onTestFinished,
}) => {
  const { quick, state } = await withAnn(onTestFinished)
  const line = 'user links remove ann --upstream google'
  const asked = await quick(line, { typed: 'n' })
  expect(asked).toMatchObject({ code: 1, stdout: '', events: [] })
  expect(asked.stderr).toBe(
    'Of ann (sub ann-1) will be removed:\n' +
      '  google ann?@corp.example\n' +
      'All sessions and grants end.\n' +
      'Continue? [y/N] ostiary: Nothing was done\n',
  )
  expect(await state()).toEqual(UNTOUCHED)
  const done = await quick(`${line} --yes`)
  expect(done).toMatchObject({ code: 0, stdout: 'Removed: google\nEnded: sessions 1, grants 1\n' })
  expect(done.events).toMatchObject([
    { command: 'user links remove', subject: { sub: 'ann-1', username: 'ann' }, count: { links: 1 } },
  ])
  expect(await state()).toEqual({ upstreams: ['github'], credential_version: 3, sessions: 0, grants: 0 })
})

it.concurrent('--all removes each, and with --keep-access the sessions stay', async ({ onTestFinished }) => {
  const { json, quick, state } = await withAnn(onTestFinished)
  const removed = await json('user links remove ann --all --keep-access --yes', quick)
  expect(removed.removed).toHaveLength(2)
  expect(await state()).toEqual({ upstreams: [], credential_version: 4, sessions: 1, grants: 1 })
})

it.concurrent('the last way to sign in stays; a passkey or another link is one', async ({
  onTestFinished,
}) => {
  const { quick, factors, state } = await withAnn(onTestFinished, { with_password: false })
  const refused = await quick('user links remove ann --all --yes')
  expect(refused).toMatchObject({ code: 1, stdout: '', events: [] })
  expect(refused.stderr).toContain('Set a password first (ostiary user set-password)')
  expect(await state()).toEqual(UNTOUCHED)
  expect(await quick('user links remove ann --upstream google --yes')).toMatchObject({ code: 0 })
  expect(await quick('user links remove ann --upstream github --yes')).toMatchObject({ code: 1 })
  const other = [passkeyRecord('other', 'ann-1', 'id.example.com')]
  expect(await factors.change({ sub: 'ann-1', add: other }, { credential_version: 3, now: LINKED })).toBe(
    true,
  )
  expect(await quick('user links remove ann --all --yes')).toMatchObject({ code: 1, stdout: '' })
  const add = [passkeyRecord('key', 'ann-1', 'localhost')]
  await factors.change({ sub: 'ann-1', add }, { credential_version: 4, now: LINKED })
  expect(await quick('user links remove ann --upstream github --yes')).toMatchObject({ code: 0 })
})

it.concurrent('a command line that names nothing, or both, is refused', async ({ onTestFinished }) => {
  const { quick, state } = await withAnn(onTestFinished)
  for (const line of ['user links remove ann --yes', 'user links remove ann --all --upstream google --yes'])
    expect(await quick(line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--upstream or --all'),
    })
  expect(await quick('user links remove ann --upstream corp --yes')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('ann has no such link'),
  })
  expect(await state()).toEqual(UNTOUCHED)
})
