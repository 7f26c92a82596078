/** A server is killed with rows that wait, and while a receiver is asked: the next one delivers them all, in their order. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { run, SECRET, type ServerProcess, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { users } from './client.ts'
import { report } from './report.ts'

const ROWS = ['row-1', 'row-2', 'row-3']

async function receiver() {
  const ids: (string | undefined)[] = []
  const state = { answer: (response: ServerResponse) => void response.writeHead(204).end() }
  const server = createServer((request, response) => {
    ids.push(request.headers['webhook-id'] as string | undefined)
    request.resume()
    state.answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { ids, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function kill({ child }: ServerProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

it('no row is lost by a kill, and only the one that was on its way comes twice', async () => {
  const to = await receiver()
  const DATABASE_URL = await ownDatabase()
  const sink = { url: to.url, allow_private: true, secret_env: 'SIEM_SECRET', events: ['consent.denied'] }
  const config = (port: number) => ({
    app: { url: `http://localhost:${port}` },
    audit: { enabled: true, sinks: [sink] },
    users,
  })
  const SIEM_SECRET = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`
  const env = { OIDC_SECRET: SECRET, DATABASE_URL, SIEM_SECRET }
  const admin = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => admin.close())
  const cursors = () => admin.query<{ place: number }>('select place from oidc_audit_sinks')

  const first = await startTestServer({ config, env })
  await eventually(async () => expect(await cursors()).toHaveLength(1))
  await kill(first)
  // On a slow machine, its own rows would be in the seal of those below.
  await admin.query('delete from oidc_audit where seal is null')
  // Old enough to be sealed at once.
  for (const id of ROWS)
    await admin.query(
      `insert into oidc_audit (realm, audit_id, time, type, outcome, actor, refs, count, data)
       values ('default', $1, $2, 'consent.denied', 'done', 'system', '{}', 1, '{}')`,
      [id, Math.floor(Date.now() / 1000) - 300],
    )

  const asked = new Promise<void>((resolve) => {
    to.state.answer = (response) => {
      if (to.ids.length === 1) response.writeHead(204).end()
      else resolve()
    }
  })
  // The next server does the background work when the lease of the killed one has ended.
  const endLeases = async () => {
    await admin.query('delete from oidc_leases')
    await admin.query('update oidc_audit_sinks set leased_until = 0')
  }
  await endLeases()
  const second = await startTestServer({ config, env })
  await asked
  await kill(second)
  expect([to.ids, await cursors()]).toEqual([ROWS.slice(0, 2), [{ place: 1 }]])

  const listed = await run({ config, env, args: ['audit', 'sinks', '--json'] })
  expect(JSON.parse(listed.stdout)).toMatchObject({ sinks: [{ pending: 2, dropped: 0 }] })

  to.state.answer = (response) => void response.writeHead(204).end()
  await endLeases()
  await startTestServer({ config, env })
  await eventually(async () => expect(await cursors()).toEqual([{ place: 0 }]))
  expect(to.ids).toEqual(['row-1', 'row-2', 'row-2', 'row-3'])
  report('SIGKILL while a receiver is asked', { rows: ROWS.length, deliveries: to.ids.length })
})
