/** Users who sign in at another provider in place of a password, by their address: as an extension says. */

import type { Extension } from '@ostiary/identity'
import { expect, it } from 'vitest'
import { createAddresses } from '../src/index.js'
import { asked, browserAt, place, signedIn, told } from './_place.js'

/** Turned on later than the server, as with another configuration. */
const corp = { on: true }
const provider: Extension = {
  name: 'corp',
  replacesPassword: (_, { claims: { email } }) => corp.on && String(email).endsWith('@office.example'),
}

function world(on: boolean) {
  corp.on = on
  return place({
    identity: { extensions: [createAddresses({ realms: { default: { email_change: true } } }), provider] },
  })
}

const WORK = 'ann@office.example'

/** Ann, whose address is that of the provider. */
async function withWorkAddress() {
  const p = await world(false)
  await browserAt(p).press(await asked(p, 'ann', WORK))
  p.events.length = 0
  return p
}

it('cannot change the address, which would be a way around the provider', async () => {
  const p = await withWorkAddress()
  const b = await signedIn(p, 'ann')
  const before = await b.text(`${b.base}/account`)
  expect(before).toContain('name="address"')
  corp.on = true
  expect(await b.text(`${b.base}/account`)).not.toContain('name="address"')
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(before)?.[1] ?? ''
  for (const action of ['change_address', 'verify_address', 'keep_address'])
    expect(
      (await b.post(`${b.base}/account`, { csrf_token, action, address: 'ann@home.example' })).status,
    ).toBe(400)
  expect((await p.user('ann')).claims).toMatchObject({ email: WORK })
})

it('a link that was mailed before does not change it', async () => {
  const p = await withWorkAddress()
  const link = await asked(p, 'ann', 'ann@home.example')
  corp.on = true
  expect((await browserAt(p).send(link)).status).toBe(400)
  expect(told(p)).toContain('refused changed_meanwhile')
  corp.on = false
  expect((await browserAt(p).send(link)).status).toBe(200)
})

it('another user cannot take such an address, and is told why', async () => {
  const p = await world(true)
  const b = await signedIn(p, 'ann')
  const answer = await b.change(WORK)
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('Accounts with this address sign in at their organization')
  await p.deliver()
  expect(p.sent).toEqual([])
})
