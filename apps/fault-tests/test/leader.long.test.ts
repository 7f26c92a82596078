/** Three servers on one PostgreSQL: one does the background work, and another one when it dies or stops. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startTestServer } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { type Receiver, receiver } from './receiver.ts'
import { report } from './report.ts'
import { config, signedIn, signOut } from './signing-out.ts'

const leads = (server: ServerProcess) => server.logged('this server does the background work').length > 0

/** Seconds from a logout at this origin until its clients are told. */
async function secondsUntilTold(origin: string, { confirmed }: Receiver): Promise<number> {
  const person = await signedIn({ origin } as Parameters<typeof signedIn>[0])
  expect(await signOut(person)).toBe(true)
  const began = performance.now()
  await eventually(() => ['app', 'mail'].every((id) => confirmed(person.sid, id) === 1))
  return Number(((performance.now() - began) / 1000).toFixed(1))
}

it('a killed leader is replaced, one that stops at once; logouts go on', async () => {
  const at = await receiver()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = { DATABASE_URL: await ownDatabase(), OIDC_SECRET: SECRET }
  const servers: ServerProcess[] = []
  // The first one leads, and is not the one that serves the logouts.
  for (const own of [await freePort(), port, await freePort()]) {
    servers.push(await startTestServer({ config: config(at)(origin), env, port: own }))
  }
  const [first, ...others] = servers
  if (!first) throw new Error('no server')
  await eventually(() => expect(servers.map(leads)).toEqual([true, false, false]))
  const led = await secondsUntilTold(origin, at)

  first.child.kill('SIGKILL')
  const killed = performance.now()
  const meanwhile = secondsUntilTold(origin, at)
  await eventually(() => others.some(leads))
  const taken_over = Number(((performance.now() - killed) / 1000).toFixed(1))
  const without_leader = await meanwhile
  expect(others.filter(leads)).toHaveLength(1)

  report('three servers, the leader killed', {
    seconds_to_a_delivery: led,
    seconds_to_the_next_leader: taken_over,
    seconds_to_a_delivery_meanwhile: without_leader,
  })
})
