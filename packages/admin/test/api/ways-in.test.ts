/** Passkeys, apps and recovery links of users: what is shown and removed, and whose they are. */

import { hold, untilItWaits } from '@ostiary/test-kit/database/held'
import { describe, expect, it } from 'vitest'
import { database, problem, rowsOf, STORAGES, staffed } from './_storages.ts'
import { factor, withTicket, withWays } from './_ways.ts'

const EVE = '/realms/acme/users/eve'
const eve = { realm: 'acme', sub: 'eve' }
const ALL = [factor('eve', 'totp'), factor('eve', 'passkey'), factor('eve', 'recovery')]

describe.each(STORAGES)('%s', (_, open) => {
  it('factors are listed without what is secret', async () => {
    const place = await open()
    await place.addUser('eve')
    await withWays(place, eve, { factors: ALL })
    const { status, body } = await place.sue(`GET ${EVE}/factors`)
    expect(status).toBe(200)
    expect(body.items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['passkey', 'totp'])
    expect(Object.keys(body.items[0]).sort()).toEqual(
      ['created_at', 'factor_id', 'kind', 'label', 'last_used_at'].sort(),
    )
    expect(JSON.stringify(body)).not.toMatch(/sealed|hash-one/)
    expect(body).toMatchObject({ recovery_codes: 2, second_step: false })
  })

  it('a factor is removed, and what it has begun ends; with the last one the recovery codes go', async () => {
    const place = await open()
    await place.signIn('eve', { scope: 'offline_access' })
    await withWays(place, eve, { factors: ALL })
    const removed = await place.sue(`DELETE ${EVE}/factors/totp-of-eve`)
    expect(removed).toMatchObject({
      status: 200,
      body: { sub: 'eve', removed: [{ factor_id: 'totp-of-eve', kind: 'totp' }], sessions: 1, grants: 1 },
    })
    expect((await place.sue(`GET ${EVE}/sessions`)).body.items).toEqual([])
    expect((await place.sue(`GET ${EVE}/grants`)).body.items).toEqual([])
    expect(await place.sue(`DELETE ${EVE}/factors/totp-of-eve`)).toMatchObject(problem('not_found', 404))
    // A set of codes is none that is removed alone.
    expect(await place.sue(`DELETE ${EVE}/factors/recovery-of-eve`)).toMatchObject(problem('not_found', 404))
    await place.ann(`POST ${EVE}/password`, { password: 'correct horse battery' })
    const last = await place.sue(`DELETE ${EVE}/factors/passkey-of-eve`)
    expect(last.body.removed.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'passkey',
      'recovery',
    ])
    expect(await place.people.factors('acme').list('eve')).toEqual([])
    const rows = await rowsOf(place)
    expect(rows.filter((row) => row.startsWith('factor.'))).toEqual(
      Array(2).fill('factor.change done sub:sue eve'),
    )
  })

  it('all are removed, and the last way in stays', async () => {
    const place = await open()
    await place.addUser('eve')
    await withWays(place, eve, { factors: ALL })
    expect(await place.sue(`DELETE ${EVE}/factors`)).toMatchObject(problem('conflict', 409))
    expect(await place.sue(`DELETE ${EVE}/factors/passkey-of-eve`)).toMatchObject(problem('conflict', 409))
    expect(await place.people.factors('acme').list('eve')).toHaveLength(3)
    await place.ann(`POST ${EVE}/password`, { password: 'correct horse battery' })
    const { body } = await place.sue(`DELETE ${EVE}/factors`)
    expect(body.removed).toHaveLength(3)
    expect(await place.sue(`DELETE ${EVE}/factors`)).toMatchObject(problem('not_found', 404))
  })

  it('a recovery link is shown once, replaces the former one, and is in no row', async () => {
    const place = await open()
    await place.addUser('eve')
    const made = await place.sue(`POST ${EVE}/recovery-link`)
    expect(made).toMatchObject({ status: 201, body: { sub: 'eve', expires_at: place.w.clock.now + 3600 } })
    expect(made.headers.get('cache-control')).toBe('no-store')
    const link = new URL(made.body.link)
    expect(link.href).toContain(place.w.issuer)
    const first = await place.people.tickets('acme').findOf('eve', 'recover')
    await place.sue(`POST ${EVE}/recovery-link`)
    const second = await place.people.tickets('acme').findOf('eve', 'recover')
    expect(second?.ticket_hash).not.toBe(first?.ticket_hash)
    expect(await place.people.tickets('acme').find(first?.ticket_hash ?? '')).toBeNull()
    expect(await rowsOf(place)).toEqual(Array(2).fill('ticket.put done sub:sue eve'))
    const secret = link.searchParams.get('t')
    expect(secret).toMatch(/^[\w-]{45}$/)
    expect(JSON.stringify([await place.changes(), place.events])).not.toContain(secret)
  })

  it('a recovery link needs a user who is enabled, and a sign-in of the last five minutes', async () => {
    const place = await open()
    await place.addUser('eve')
    await place.addUser('off', { disabled_at: 5 })
    expect(await place.sue('POST /realms/acme/users/off/recovery-link')).toMatchObject(
      problem('conflict', 409),
    )
    place.w.clock.now += 301
    const late = await place.sue(`POST ${EVE}/recovery-link`)
    expect(late.status).toBe(401)
    expect(late.headers.get('www-authenticate')).toContain('max_age="300"')
    expect((await place.sue(`DELETE ${EVE}/factors`)).status).toBe(401)
    expect((await place.sue(`GET ${EVE}/factors`)).status).toBe(200)
    for (const sub of ['eve', 'off'])
      expect(await place.people.tickets('acme').findOf(sub, 'recover')).toBeNull()
  })

  it('a recovery by mail that waits is ended once', async () => {
    const place = await open()
    await place.addUser('eve')
    expect(await place.sue(`DELETE ${EVE}/recovery-link`)).toMatchObject(problem('not_found', 404))
    await withTicket(place, eve, 'wait')
    expect((await place.sue(`DELETE ${EVE}/recovery-link`)).status).toBe(204)
    expect(await place.people.tickets('acme').findOf('eve', 'wait')).toBeNull()
    expect(await place.sue(`DELETE ${EVE}/recovery-link`)).toMatchObject(problem('not_found', 404))
    expect(await rowsOf(place)).toEqual(['ticket.take done sub:sue eve'])
  })

  it.each([
    ['a factor', 'DELETE', '/factors/totp-of-ann'],
    ['all factors', 'DELETE', '/factors'],
    ['a recovery link', 'POST', '/recovery-link'],
    ['the recovery that waits', 'DELETE', '/recovery-link'],
  ])('support does not change %s of an owner', async (_name, method, path) => {
    const place = await open()
    const ann = { realm: 'acme', sub: 'ann' }
    await withWays(place, ann, { factors: [factor('ann')] })
    await withTicket(place, ann, 'wait')
    const state = async () => [
      await place.people.users('acme').find('ann'),
      await place.people.factors('acme').list('ann'),
      await place.people.tickets('acme').findOf('ann', 'wait'),
      await place.people.tickets('acme').findOf('ann', 'recover'),
      await rowsOf(place),
    ]
    const before = await state()
    expect(await place.sue(`${method} /realms/acme/users/ann${path}`)).toMatchObject(
      problem('forbidden', 403),
    )
    expect(await state()).toEqual(before)
    // The attempt has a row.
    expect(await place.attempts()).toMatchObject([{ outcome: 'failed', actor: 'sub:sue', sub: 'ann' }])
    // Who is in another realm is as who is nowhere.
    await place.addUser('far', {}, 'other')
    const far = await place.sue(`${method} /realms/acme/users/far${path}`)
    const nobody = await place.sue(`${method} /realms/acme/users/nobody${path}`)
    expect({ ...far.body, request_id: '' }).toEqual({ ...nobody.body, request_id: '' })
    expect(far.status).toBe(404)
    // A role that is taken counts at the next request.
    await place.roles.change('acme', () => ({ remove: { holder: 'sub:sue', role: 'support' } }))
    expect(await place.sue(`${method} /realms/acme/users/far${path}`)).toMatchObject(
      problem('not_found', 404),
    )
    expect(await place.sue('GET /realms/acme/users/ann/factors')).toMatchObject(problem('not_found', 404))
  })
})

describe('a user who gets a role', () => {
  const ROLE = '/realms/acme/roles/users/eve/manager'
  const linksOf = async ({ people }: Awaited<ReturnType<typeof staffed>>) =>
    Promise.all(
      (['recover', 'invite'] as const).map((purpose) => people.tickets('acme').findOf('eve', purpose)),
    )

  it('has no link any more that another one may have', async () => {
    const place = await staffed()
    await place.addUser('eve')
    expect((await place.sue(`POST ${EVE}/recovery-link`)).status).toBe(201)
    expect((await place.sue(`POST ${EVE}/invitation`, { print: true })).status).toBe(201)
    expect((await place.ann(`PUT ${ROLE}`, { realms: ['acme'] })).status).toBe(200)
    expect(await linksOf(place)).toEqual([null, null])
    expect(await rowsOf(place)).toEqual([
      'ticket.put done sub:sue eve',
      'ticket.put done sub:sue eve',
      'role.grant done sub:ann eve',
      'ticket.take done sub:ann eve',
      'ticket.take done sub:ann eve',
    ])
    // A link of now stays when the same role is given again.
    expect((await place.ann(`POST ${EVE}/recovery-link`)).status).toBe(201)
    await place.ann(`PUT ${ROLE}`, { realms: ['acme'] })
    expect(await linksOf(place)).toEqual([expect.objectContaining({ purpose: 'recover' }), null])
  })

  it.each([
    ['recovery-link', undefined],
    ['invitation', { print: true }],
  ])('while support makes the link (%s): it has ended', async (path, body) => {
    const place = await staffed()
    await place.addUser('eve')
    const { of } = place.roles
    let asked = 0
    // The role comes after the first look.
    place.roles.of = async (realm, holder) => {
      const rows = await of(realm, holder)
      if (holder === 'sub:eve' && ++asked === 1) await place.give('sub:eve', 'manager', 'acme')
      return rows
    }
    expect(await place.sue(`POST ${EVE}/${path}`, body)).toMatchObject(problem('forbidden', 403))
    expect(await linksOf(place)).toEqual([null, null])
  })
})

it('a factor of a user who is being changed stays', async () => {
  const executor = await database()
  const place = await staffed({ executor })
  await place.addUser('eve')
  await withWays(place, eve, { factors: [factor('eve')] })
  const other = await hold(executor, (tx) =>
    tx.query(`update oidc_users set credential_version = credential_version + 1 where sub = 'eve'`),
  )
  const mine = place.sue(`DELETE ${EVE}/factors/totp-of-eve`)
  expect(await untilItWaits(executor, mine)).toBe(true)
  await other.commit()
  expect(await mine).toMatchObject(problem('changed_meanwhile', 412))
  expect(await place.people.factors('acme').list('eve')).toHaveLength(1)
})
