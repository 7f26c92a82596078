/** The command after a restore, on a PostgreSQL. */

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUser } from '@ostiary/identity'
import { expect, it, vi } from 'vitest'
import { database, giveGrant, makeAnn, makeKey, NOW, startSession } from './commands.ts'

vi.setConfig({ testTimeout: 300_000 })

const TO = '2026-01-01T00:00:00Z'

it('database restored: access ends, and the logs say whose password and account', async ({
  onTestFinished,
}) => {
  const { quick, storage, users } = await database(onTestFinished)
  await makeKey(storage)
  const password = 'a long passphrase for the test'
  await makeAnn(users)
  for (const name of ['bob', 'cem']) await createUser(users, { username: name, sub: `${name}-1`, password })
  await startSession(storage, 's-1')
  await giveGrant(storage, 'g-1')
  const [key] = await storage.keys.list()
  const log = join(await mkdtemp(join(tmpdir(), 'ostiary-log-')), 'log.jsonl')
  const lines = [
    { time: '2025-12-31T00:00:00Z', event: 'account.password_changed', realm: 'default', sub: 'cem-1' },
    { time: '2026-01-02T00:00:00Z', event: 'account.password_changed', realm: 'default', sub: 'bob-1' },
    {
      time: '2026-01-02T00:00:00Z',
      event: 'command.done',
      command: 'user disable',
      realm: 'default',
      subject: { sub: 'ann-1' },
    },
  ]
  await writeFile(log, lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(await quick(`database restored --to ${TO} --yes`)).toMatchObject({ code: 2 })
  const done = await quick(`database restored --to ${TO} --events ${log} --yes --json`)
  expect(done).toMatchObject({ code: 0 })
  expect(JSON.parse(done.stdout).changed).toMatchObject({
    sessions: 1,
    grants: 1,
    passwords: 1,
    disabled: 1,
    keys: 1,
  })
  expect(await storage.grants.list('ann-1', NOW)).toEqual([])
  expect((await users.find('ann-1'))?.disabled_at).not.toBeNull()
  expect((await users.find('bob-1'))?.password_hash).toBeNull()
  expect((await users.find('cem-1'))?.password_hash).not.toBeNull()
  expect((await storage.keys.list()).map(({ kid }) => kid)).not.toContain(key?.kid)
  expect(await quick(`database restored --to ${TO} --without-events --yes`)).toMatchObject({ code: 0 })
  expect((await users.find('cem-1'))?.password_hash).toBeNull()
})
