/** The server is killed between a logout and its back-channel delivery: the delivery arrives once, after the restart. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it } from 'vitest'
import { provider } from './provider.ts'
import { receiver } from './receiver.ts'
import { report } from './report.ts'
import { allSent, config, distribution, type SignedIn, signedIn, signOut } from './signing-out.ts'

it('once the logout is answered, each client is notified once, even if the server is killed', async () => {
  const DATABASE_URL = await ownDatabase()
  const logoutReceiver = await receiver()
  const server = await provider({ config: config(logoutReceiver), env: { DATABASE_URL } })
  const sessions = { killed_before_a_try: [] as SignedIn[], killed_within_a_try: [] as SignedIn[] }

  const within = await signedIn(server)
  sessions.killed_within_a_try.push(within)
  logoutReceiver.mood('hang')
  expect(await signOut(within)).toBe(true)
  await eventually(
    () => logoutReceiver.read(within.sid, 'app') + logoutReceiver.read(within.sid, 'mail') > 0,
    { seconds: 180 },
  )
  await server.kill()
  logoutReceiver.mood('up')
  await server.start()

  for (let kill = 0; kill < 3; kill += 1) {
    const person = await signedIn(server)
    logoutReceiver.mood('down')
    expect(await signOut(person)).toBe(true)
    await server.kill()
    logoutReceiver.mood('up')
    await server.start()
    sessions.killed_before_a_try.push(person)
  }
  await allSent(DATABASE_URL)
  const { killed_before_a_try, killed_within_a_try } = sessions
  const counted = {
    before_a_try: distribution(logoutReceiver.confirmed, killed_before_a_try),
    within_a_try: distribution(logoutReceiver.confirmed, killed_within_a_try),
  }
  report('SIGKILL between a logout and its delivery; deliveries by how often they were confirmed', counted)
  expect(counted).toEqual({ before_a_try: { 1: 6 }, within_a_try: { 1: 2 } })
})
