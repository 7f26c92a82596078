/** `only`: the users of a provider's domains have no password of this server. */

import { upsertUser } from '@ostiary/identity'
import { expect, it } from 'vitest'
import { upstreamFaults } from '../src/index.js'
import { atAccount, browserAt, HASH, PASSWORD, type Place, place, signInWithPassword } from './_place.js'

const ONLY = { domains: ['corp.example'], only: true }

const isSignedIn = async (p: Place, username: string): Promise<boolean> => {
  const b = browserAt(p)
  await signInWithPassword(b, username)
  return (await b.send(`${b.base}/account`)).status === 200
}

it('counts the name and the address, in any case, of these domains alone', async () => {
  const p = await place({ settings: {}, corp: ONLY })
  const users: Record<string, [email: string | null, signs_in: boolean]> = {
    'Ada2@Corp.Example': [null, false],
    bob: ['Bob@CORP.example', false],
    carol: ['carol@corp.example.evil.example', true],
    dave: ['dave@evil-corp.example', true],
    eve: [null, true],
    'frank@other.example': [null, true],
    grace: ['grace@corp.example@evil.example', true],
  }
  for (const [username, [email]] of Object.entries(users))
    await upsertUser(
      p.users('default'),
      { username, password: PASSWORD, ...(email && { email }) },
      { passwords: HASH },
    )
  for (const [username, [, signs_in]] of Object.entries(users))
    expect([username, await isSignedIn(p, username)]).toEqual([username, signs_in])
})

it('without it, a user of such an address keeps the password', async () => {
  const p = await place({ settings: {}, corp: { domains: ['corp.example'] } })
  await upsertUser(
    p.users('default'),
    { username: 'bob', password: PASSWORD, email: 'bob@corp.example' },
    { passwords: HASH },
  )
  const b = browserAt(p)
  await signInWithPassword(b, 'bob')
  expect(await (await b.send(`${b.base}/account`)).text()).toContain('new_password')
  expect((await atAccount(b, 'open_password')).status).not.toBe(400)
})

it('is about domains', () => {
  const settings = {
    type: 'oidc',
    issuer: 'https://corp.example',
    client_id: 'x',
    client_secret: 's',
    name: 'Corp',
  } as const
  expect(upstreamFaults({ ...settings, ...ONLY })).toEqual([])
  expect(upstreamFaults({ ...settings, only: true })).toEqual([
    { path: 'only', message: 'it is about the users of domains: list them, or remove only' },
  ])
})
