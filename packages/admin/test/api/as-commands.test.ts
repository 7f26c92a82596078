/** What the command line needs of the API to do the same as on the machine of the server. */

import { expect, it } from 'vitest'
import { adminPlace } from './_place.ts'
import { factor, withTicket, withWays } from './_ways.ts'

async function opened() {
  const place = await adminPlace()
  await place.give('client:deploy', 'owner', '*')
  const { access_token } = await place.program()
  const send = (line: string, body?: unknown) =>
    place.call(access_token, line, body === undefined ? {} : { body })
  return { place, send }
}

const NOTES = { client_name: 'Notes', redirect_uris: ['https://notes.example.com/callback'] }

it('a list begins after an id, and goes on with its cursor', async () => {
  const { place, send } = await opened()
  for (const sub of ['ann', 'bob', 'cem', 'dan']) await place.addUser(sub)
  const first = await send('GET /realms/acme/users?after=ann&limit=2')
  const subs = ({ body }: typeof first) => body.items.map(({ sub }: { sub: string }) => sub)
  expect(subs(first)).toEqual(['bob', 'cem'])
  const next = await send(`GET /realms/acme/users?after=ann&limit=2&cursor=${first.body.next}`)
  expect([subs(next), next.body.next]).toEqual([['dan'], null])
  expect((await send('GET /realms/acme/clients?after=ops')).body.items).toEqual([])
  expect((await send('GET /realms/acme/users?username_prefix=a&after=ann')).body.items).toEqual([])
})

it('a user is created with a password, by the rules, and where the realm has passwords', async () => {
  const { place, send } = await opened()
  const created = await send('PUT /realms/acme/users/eve', {
    username: 'eve',
    password: 'an unusual passphrase',
  })
  expect([created.status, created.body.has_password]).toEqual([201, true])
  expect(JSON.stringify(created.body)).not.toContain('passphrase')
  const short = await send('PUT /realms/acme/users/fay', { username: 'fay', password: 'short' })
  expect([short.status, await place.people.users('acme').find('fay')]).toEqual([409, null])
  // Of a stored user it is set with POST …/password alone.
  const { etag } = await send('GET /realms/acme/users/eve')
  const again = await send('PUT /realms/acme/users/eve', { username: 'eve', password: 'another passphrase' })
  expect([again.status, again.etag]).toEqual([200, etag])
  const without = await adminPlace({ options: { passwords: async () => null } })
  await without.give('client:deploy', 'owner', '*')
  const { access_token } = await without.program()
  const body = { username: 'eve', password: 'an unusual passphrase' }
  const refused = await without.call(access_token, 'PUT /realms/acme/users/eve', { body })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([409, '/password'])
})

it('no user gets the client_id of a client as sub: tokens of both would look alike', async () => {
  const { place, send } = await opened()
  expect(await send('PUT /realms/acme/users/ops', { username: 'ops' })).toMatchObject({ status: 409 })
  expect(await place.people.users('acme').find('ops')).toBeNull()
})

it('`confidential` gives a client a secret, and takes it', async () => {
  const { send } = await opened()
  const both = await send('PUT /realms/acme/clients/notes', { ...NOTES, confidential: true })
  expect(both.body.token_endpoint_auth_methods).toEqual(['client_secret_basic', 'client_secret_post'])
  expect(both.body.client_secret).toHaveLength(43)
  const path = '/realms/acme/clients/notes?overwrite=true'
  const open = await send(`PATCH ${path}`, { confidential: false })
  expect([open.status, open.body.token_endpoint_auth_method]).toEqual([200, 'none'])
  expect(await send(`PATCH ${path}`, { confidential: null })).toMatchObject({ status: 400 })
})

it('a user who is disabled, and how the user gets in', async () => {
  const { place, send } = await opened()
  await place.addUser('kim', { password_hash: 'quick:1' })
  const kim = { realm: 'acme', sub: 'kim' }
  await withWays(place, kim, { factors: [factor('kim'), factor('kim', 'passkey')], links: [] })
  await withTicket(place, kim, 'wait')
  const ways = await send('GET /realms/acme/users/kim/factors')
  expect(ways.body).toMatchObject({
    password: true,
    passkeys: expect.any(Number),
    recovery_until: expect.any(Number),
    configured: null,
  })
  expect((await send('POST /realms/acme/users/kim/disable', undefined)).body).toMatchObject({
    sessions: 0,
    grants: 0,
    disabled_at: expect.any(Number),
  })
})
