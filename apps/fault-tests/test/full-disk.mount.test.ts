/** A full disk. The test mounts a small one, which only root may do, and not in every container: a workflow runs it weekly. */

import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivileged } from '@ostiary/local-services/service'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFinished } from 'vitest'
import { clients, newCode, post, send, signIn, users } from './client.ts'
import { provider } from './provider.ts'
import { untilReadyz } from './ready.ts'
import { report } from './report.ts'
import { ownPostgres } from './services.ts'

const config = (origin: string) => ({ app: { url: origin }, clients, users })

it('a full disk: requests that need space get 503 and the server is not ready, until there is space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]).status !== 0)
    throw new Error('This test needs a small disk: run it as root, where mount is allowed')
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o777)
  const place = join(folder, 'tables')
  mkdirSync(place, { mode: 0o700 })
  if ('uid' in unprivileged) chownSync(place, unprivileged.uid, unprivileged.gid)
  const postgres = await ownPostgres()
  const admin = postgresExecutor(postgres.url, UNLIMITED)
  onTestFinished(() => admin.close())
  await admin.query(`create tablespace small location '${place}'`)
  await admin.query('create database small tablespace small')
  const url = new URL(postgres.url)
  url.pathname = '/small'
  const { origin } = await provider({ config, env: { DATABASE_URL: url.href } })
  const ann = await signIn(origin)

  const filler = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
  let answered = 0
  let refused = ''
  while (refused === '' && answered < 2000) {
    answered += 1
    await newCode(ann, origin).catch((error: unknown) => {
      refused = String(error)
    })
  }
  const not_ready_after = await untilReadyz(origin, 503)
  // It stays so, while nothing has changed.
  expect((await send(`${origin}/readyz`)).body).toMatchObject({ database: 'down' })
  rmSync(filler)
  const ready_after = await untilReadyz(origin, 200)
  await newCode(ann, origin)
  report('A full disk', {
    codes_until_it_was_noticed: answered,
    seconds_until_not_ready: not_ready_after,
    seconds_until_ready: ready_after,
  })
  expect(refused).toMatch(/No code: (?:503|200|302)|temporarily_unavailable/)
  expect((await post(`${origin}/oauth/token`, {})).status).toBe(400)
})
