/** The server is killed between a logout and its back-channel delivery: the delivery arrives once, after the restart. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { expect, it, vi } from 'vitest'
import { provider } from './provider.ts'
import { receiver } from './receiver.ts'
import { report } from './report.ts'
import { allSent, config, distribution, type SignedIn, signedIn, signOut } from './signing-out.ts'

it('once the logout is answered, each client is notified once, even if the server is killed', async () => {
  const DATABASE_URL = await ownDatabase()
  const told = await receiver()
  const server = await provider({ config: config(told), env: { DATABASE_URL } })
  const sessions = { killed_before_a_try: [] as SignedIn[], killed_within_a_try: [] as SignedIn[] }

  const within = await signedIn(server)
  sessions.killed_within_a_try.push(within)
  told.mood('hang')
  expect(await signOut(within)).toBe(true)
  await vi.waitUntil(() => told.read(within.sid, 'app') + told.read(within.sid, 'mail') > 0, {
    timeout: 180_000,
  })
  await server.kill()
  told.mood('up')
  await server.start()

  for (let kill = 0; kill < 3; kill += 1) {
    const person = await signedIn(server)
    told.mood('down')
    expect(await signOut(person)).toBe(true)
    await server.kill()
    told.mood('up')
    await server.start()
    sessions.killed_before_a_try.push(person)
  }
  await allSent(DATABASE_URL)
  const { killed_before_a_try, killed_within_a_try } = sessions
  const counted = {
    before_a_try: distribution(told.confirmed, killed_before_a_try),
    within_a_try: distribution(told.confirmed, killed_within_a_try),
  }
  report('SIGKILL between a logout and its delivery; deliveries by how often they were confirmed', counted)
  expect(counted).toEqual({ before_a_try: { 1: 6 }, within_a_try: { 1: 2 } })
})
