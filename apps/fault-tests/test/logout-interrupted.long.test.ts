/** The server is killed while it ends a session: the logout is completed, or begun again. */

import { ownDatabase } from '@ostiary/test-kit/database'
import { expect, it } from 'vitest'
import { provider } from './provider.ts'
import { receiver } from './receiver.ts'
import { report } from './report.ts'
import { allSent, config, distribution, type SignedIn, signedIn, signOut } from './signing-out.ts'
import { tap } from './tap.ts'

it('killed at any moment of the logout itself, and asked again: each client is notified', async () => {
  const DATABASE_URL = await ownDatabase()
  const logoutReceiver = await receiver()
  const database = await tap(DATABASE_URL)
  const server = await provider({ config: config(logoutReceiver), env: { DATABASE_URL: database.url } })
  const sessions: SignedIn[] = []
  let answered = false
  // One message to the database more each time, until the logout needs no more of them.
  for (let messages = 1; !answered; messages += 1) {
    const person = await signedIn(server)
    sessions.push(person)
    const killed = new Promise<void>((done) => {
      database.cutAfter(messages, () => void server.kill().then(done))
    })
    answered = await signOut(person)
    if (answered) await server.kill()
    else await killed
    database.open()
    await server.start()
    // The user tries again.
    expect(await signOut(person)).toBe(true)
  }
  await allSent(DATABASE_URL)
  const counted = distribution(logoutReceiver.confirmed, sessions)
  report('SIGKILL at each message of a logout to the database', {
    kills: sessions.length,
    deliveries_by_how_often_they_were_confirmed: counted,
  })
  expect(sessions.length).toBeGreaterThan(3)
  expect(counted[0]).toBeUndefined()
})
