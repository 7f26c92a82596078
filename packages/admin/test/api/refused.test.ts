/** Attempts to climb have rows, of which there are few. */

import { expect, it } from 'vitest'
import { RESOURCE } from './_place.ts'
import { problem, STORAGES, staffed } from './_storages.ts'

it.each(STORAGES)('%s: a row says who tried what, and whose it is', async (_, open) => {
  const place = await open()
  const { access_token } = await place.signIn('max')
  await place.give('sub:max', 'manager', 'acme')
  const max = (line: string, body?: unknown) =>
    place.call(access_token, line, body === undefined ? {} : { body })
  await place.ann('PUT /realms/acme/clients/admins', {
    redirect_uris: ['https://a.example.com/'],
    optional_scopes: [`${RESOURCE} admin.users:write`],
  })
  for (const [line, body] of [
    ['POST /realms/acme/users/ann/recovery-link'],
    ['PATCH /realms/acme/users/ann?overwrite=true', { username: 'mine' }],
    ['DELETE /realms/acme/throttles?username=ann'],
    ['PATCH /realms/acme/clients/admins?overwrite=true', { client_name: 'Mine' }],
    ['PUT /realms/acme/clients/new', { redirect_uris: ['https://a.example.com/'], trusted: true }],
  ] as const)
    expect(await max(line, body)).toMatchObject(problem('forbidden', 403))
  const rows = await place.attempts()
  const none = { sub: null, client_id: null }
  expect(rows.map(({ data, sub, client_id }) => [JSON.parse(data).operation, { sub, client_id }])).toEqual([
    ['recovery_link.make', { ...none, sub: 'ann' }],
    ['users.patch', { ...none, sub: 'ann' }],
    ['throttles.reset', none],
    ['clients.patch', { ...none, client_id: 'admins' }],
    ['clients.put', { ...none, client_id: 'new' }],
  ])
  expect(rows).toMatchObject(Array(5).fill({ outcome: 'failed', actor: 'sub:max', realm: 'acme' }))
})

it('a role that is not the own one is an attempt too, and names its holder', async () => {
  const place = await staffed()
  const { access_token } = await place.signIn('bob')
  await place.give('sub:bob', 'owner', 'acme')
  await place.addUser('eve')
  for (const path of ['users/eve/owner', 'clients/deploy/owner'])
    expect(
      await place.call(access_token, `PUT /realms/acme/roles/${path}`, { body: { realms: ['*'] } }),
    ).toMatchObject(problem('forbidden', 403))
  expect(await place.attempts()).toMatchObject([
    { sub: 'eve', client_id: null },
    { sub: null, client_id: 'deploy' },
  ])
})

it('other refusals have none', async () => {
  const place = await staffed()
  await place.addUser('eve')
  expect((await place.sue('GET /realms/acme/users/nobody')).status).toBe(404)
  expect((await place.sue('GET /realms/acme/clients')).status).toBe(404)
  expect((await place.sue('PATCH /realms/acme/users/eve', { username: 'x' })).status).toBe(428)
  const { access_token } = await place.signIn('low', { scope: 'admin.users:read' })
  await place.give('sub:low', 'owner', '*')
  expect((await place.call(access_token, 'POST /realms/acme/users/eve/disable')).status).toBe(403)
  expect(await place.attempts()).toEqual([])
})

it('a caller has ten rows in a minute, and the attempts are refused all the same', async () => {
  const place = await staffed()
  const attempt = async () => (await place.sue('POST /realms/acme/users/ann/disable')).status
  place.w.clock.now += 60 - (place.w.clock.now % 60)
  for (let n = 0; n < 10; n += 1) expect(await attempt()).toBe(403)
  expect(await place.attempts()).toHaveLength(10)
  expect(await attempt()).toBe(403)
  expect(await place.attempts()).toHaveLength(10)
  place.w.clock.now += 60
  expect(await attempt()).toBe(403)
  expect(await place.attempts()).toHaveLength(11)
})
