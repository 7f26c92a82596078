/** Accounts at other providers, addresses to sign in with, and invitations: what is shown and changed, and whose they are. */

import { memoryMailQueue } from '@ostiary/identity/mail'
import { describe, expect, it } from 'vitest'
import { problem, rowsOf, STORAGES, staffed } from './_storages.ts'
import { factor, link, withTicket, withWays } from './_ways.ts'

const EVE = '/realms/acme/users/eve'
const eve = { realm: 'acme', sub: 'eve' }
const LINKS = [link('eve', 'google'), { ...link('eve', 'github'), linked_at: 2 }]

describe.each(STORAGES)('%s', (_, open) => {
  it('links are listed, and those at one provider are removed, with what they have begun', async () => {
    const place = await open()
    await place.signIn('eve', { scope: 'offline_access' })
    await withWays(place, eve, { links: LINKS })
    const { body } = await place.sue(`GET ${EVE}/links`)
    expect(body.items).toMatchObject([{ upstream: 'google' }, { upstream: 'github' }])
    expect(body.items[0]).not.toHaveProperty('sub')
    expect(await place.sue(`DELETE ${EVE}/links/apple`)).toMatchObject(problem('not_found', 404))
    expect(await place.sue(`DELETE ${EVE}/links/google`)).toMatchObject({
      status: 200,
      body: {
        sub: 'eve',
        removed: [{ upstream: 'google', issuer: 'https://google.example.com', subject: 'eve-there' }],
        sessions: 1,
        grants: 1,
      },
    })
    expect(await place.people.links('acme').list('eve')).toHaveLength(1)
    expect((await place.sue(`GET ${EVE}/sessions`)).body.items).toEqual([])
    expect((await place.sue(`GET ${EVE}/grants`)).body.items).toEqual([])
    expect((await rowsOf(place)).filter((row) => row.startsWith('link.'))).toEqual([
      'link.remove done sub:sue eve',
    ])
  })

  it('the last way in stays, and with a passkey all links go', async () => {
    const place = await open()
    await place.addUser('eve')
    await withWays(place, eve, { links: LINKS })
    expect(await place.sue(`DELETE ${EVE}/links`)).toMatchObject(problem('conflict', 409))
    expect((await place.sue(`DELETE ${EVE}/links/google`)).status).toBe(200)
    expect(await place.sue(`DELETE ${EVE}/links/github`)).toMatchObject(problem('conflict', 409))
    await withWays(place, eve, { factors: [factor('eve', 'passkey')] })
    expect((await place.sue(`DELETE ${EVE}/links`)).body.removed).toMatchObject([{ upstream: 'github' }])
    expect(await place.sue(`DELETE ${EVE}/links`)).toMatchObject(problem('not_found', 404))
  })

  it('an address is shown with what it is worth', async () => {
    const place = await open()
    const addressOf = async (sub: string) => (await place.sue(`GET /realms/acme/users/${sub}/addresses`)).body
    const put = (sub: string, claims: object) =>
      place.ann(`PUT /realms/acme/users/${sub}`, { username: sub, claims })
    await put('eve', { email: 'eve@example.com', email_verified: true })
    await put('new', { email: 'new@example.com' })
    await put('none', {})
    expect(await addressOf('eve')).toEqual({
      items: [{ address: 'eve@example.com', verified: true, sign_in: 'signs_in' }],
    })
    expect(await addressOf('new')).toEqual({
      items: [{ address: 'new@example.com', verified: false, sign_in: null }],
    })
    expect(await addressOf('none')).toEqual({ items: [] })
    await put('two', { email: 'eve@example.com', email_verified: true })
    expect((await addressOf('eve')).items).toMatchObject([{ sign_in: 'shared' }])
  })

  it('a user without a way in is invited, and again with another link', async () => {
    const place = await open()
    await place.ann(`PUT ${EVE}`, { username: 'eve', claims: { email: 'eve@example.com', name: 'Eve' } })
    expect(await place.sue(`GET ${EVE}/invitation`)).toMatchObject(problem('not_found', 404))
    const made = await place.sue(`POST ${EVE}/invitation`, {})
    expect(made).toMatchObject({ status: 201, body: { expires_at: place.w.clock.now + 604_800 } })
    const secret = new URL(made.body.link).searchParams.get('t') ?? ''
    expect(secret).toMatch(/^[\w-]{45}$/)
    const shown = await place.sue(`GET ${EVE}/invitation`)
    expect(shown.body).toEqual({
      sub: 'eve',
      created_at: place.w.clock.now,
      expires_at: place.w.clock.now + 604_800,
    })
    const again = await place.sue(`POST ${EVE}/invitation`, {})
    expect(again.body.link).not.toBe(made.body.link)
    expect((await place.sue(`GET ${EVE}`)).body.claims).toEqual({ email: 'eve@example.com', name: 'Eve' })
    expect(JSON.stringify([await place.changes(), place.events])).not.toContain(secret)
    expect((await rowsOf(place)).filter((row) => row.startsWith('ticket.'))).toEqual(
      Array(2).fill('ticket.put done sub:sue eve'),
    )
    expect(place.events).toMatchObject(
      Array(2).fill({ type: 'invitation.created', sub: 'eve', mailed: false }),
    )
    // A change of how the user signs in ends it.
    await place.ann(`POST ${EVE}/password`, { password: 'correct horse battery' })
    expect(await place.sue(`GET ${EVE}/invitation`)).toMatchObject(problem('not_found', 404))
    expect(await place.sue(`POST ${EVE}/invitation`, {})).toMatchObject(problem('conflict', 409))
  })

  it('invitations that can be used are listed in pages, however many cannot be used any more', async () => {
    const place = await open()
    const { sue, w, people } = place
    const invited = async (sub: string) => {
      await place.ann(`PUT /realms/acme/users/${sub}`, {
        username: sub,
        claims: { email: `${sub}@example.com` },
      })
      return sue(`POST /realms/acme/users/${sub}/invitation`, {})
    }
    for (const sub of ['a', 'z']) await invited(sub)
    // More than are read at once.
    for (let each = 100; each < 260; each += 1)
      await withTicket(place, { realm: 'acme', sub: `gone-${each}` }, 'invite')
    for (const sub of ['gone-off', 'gone-old']) await invited(sub)
    await sue('POST /realms/acme/users/gone-off/disable')
    const old = await people.tickets('acme').findOf('gone-old', 'invite')
    if (old) await people.tickets('acme').put({ ...old, expires_at: w.clock.now })
    const shown = (sub: string) => ({
      sub,
      username: sub,
      email: `${sub}@example.com`,
      created_at: w.clock.now,
      expires_at: w.clock.now + 604_800,
    })
    const { body } = await sue('GET /realms/acme/invitations')
    expect(body).toEqual({ items: [shown('a'), shown('z')], next: null })
    const { body: first } = await sue('GET /realms/acme/invitations?limit=1')
    expect(first.items).toEqual([shown('a')])
    const { body: second } = await sue(`GET /realms/acme/invitations?limit=1&cursor=${first.next}`)
    expect(second).toEqual({ items: [shown('z')], next: null })
    expect((await sue('GET /realms/acme/invitations?after=a')).body).toEqual(second)
    expect((await place.ann('GET /realms/other/invitations')).body).toEqual({ items: [], next: null })
  })

  it('support does not touch links and invitation of an owner, and nobody those of another realm', async () => {
    const place = await open()
    const ann = { realm: 'acme', sub: 'ann' }
    await withWays(place, ann, { links: [link('ann', 'google'), link('ann', 'github')] })
    const state = async () => [
      await place.people.users('acme').find('ann'),
      await place.people.links('acme').list('ann'),
      await place.people.tickets('acme').findOf('ann', 'invite'),
      await rowsOf(place),
    ]
    const before = await state()
    await place.addUser('far', {}, 'other')
    for (const [method, path, body] of [
      ['DELETE', '/links'],
      ['DELETE', '/links/google'],
      ['POST', '/invitation', {}],
      ['POST', '/invitation', { print: true }],
    ] as const) {
      const send = (sub: string) => place.sue(`${method} /realms/acme/users/${sub}${path}`, body)
      expect(await send('ann')).toMatchObject(problem('forbidden', 403))
      const [far, nobody] = [await send('far'), await send('nobody')]
      expect([far.status, { ...far.body, request_id: '' }]).toEqual([404, { ...nobody.body, request_id: '' }])
    }
    expect(await state()).toEqual(before)
  })
})

describe('where it is not configured', () => {
  it('links and addresses are not there, and the answer says which key', async () => {
    const place = await staffed({ bare: true })
    await place.addUser('eve')
    for (const [line, key] of [
      ['GET /links', 'identity.upstreams'],
      ['DELETE /links', 'identity.upstreams'],
      ['DELETE /links/google', 'identity.upstreams'],
      ['GET /addresses', 'identity.sign_in_with'],
    ] as const) {
      const [method, path] = line.split(' ')
      expect(await place.sue(`${method} ${EVE}${path}`)).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining(key) },
      })
    }
  })
})

describe('an invitation', () => {
  it('is mailed where the realm mails, and then shows no link; with print it is shown', async () => {
    const queue = memoryMailQueue()
    const mailer = { send: () => Promise.reject(new Error('nothing is sent here')) }
    const mail = { queue, of: () => ({ mailer, from: 'id@example.com', per_hour: 10 }) }
    const place = await staffed({ mail })
    await place.addUser('eve')
    // Nowhere to mail it to.
    expect(await place.sue(`POST ${EVE}/invitation`, {})).toMatchObject(problem('conflict', 409))
    await place.ann(`PATCH ${EVE}?overwrite=true`, { claims: { email: 'eve@example.com' } })
    expect(await place.sue(`POST ${EVE}/invitation`, {})).toMatchObject({ status: 201, body: { link: null } })
    expect(place.events).toMatchObject([{ type: 'invitation.created', mailed: true }])
    const waiting = await queue.page({ limit: 10 })
    expect(waiting).toMatchObject([{ realm: 'acme' }])
    const printed = await place.sue(`POST ${EVE}/invitation`, { print: true })
    expect(printed.body.link).toContain('t=')
    expect(await queue.page({ limit: 10 })).toEqual(waiting)
  })

  it('is not for a user who is disabled, of the configuration, or without a recent sign-in', async () => {
    const configured = () => ({ clients: [], users: [{ path: 'users.0', user: { username: 'EVE' } }] })
    const place = await staffed({ options: { configured } })
    await place.addUser('eve')
    await place.addUser('off', { disabled_at: 5 })
    expect(await place.sue(`POST ${EVE}/invitation`, {})).toMatchObject(
      problem('owned_by_configuration', 409),
    )
    expect(await place.sue('POST /realms/acme/users/off/invitation', {})).toMatchObject(
      problem('conflict', 409),
    )
    // A recovery link is no change of the record: the command makes it too.
    expect((await place.sue(`POST ${EVE}/recovery-link`)).status).toBe(201)
    place.w.clock.now += 301
    expect((await place.sue(`POST ${EVE}/invitation`, {})).status).toBe(401)
    expect(await place.people.tickets('acme').list({ purpose: 'invite', limit: 10 })).toEqual([])
  })
})
