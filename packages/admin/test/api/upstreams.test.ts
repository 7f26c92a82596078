/** What the configuration has in a realm: other providers, and what clients may do by themselves. */

import { describe, expect, it } from 'vitest'
import { MAX_LOOKED_AT } from '../../src/api/page.ts'
import { UPSTREAM_SECRET } from './_parts.ts'
import { problem, STORAGES, staffed } from './_storages.ts'

const LIST = 'GET /realms/acme/upstreams'
const UNSET = {
  signup: false,
  link: 'signed_in',
  domains: [],
  authoritative_domains: [],
  tenants: [],
  only: false,
  require_second_factor: false,
  groups: null,
  scopes: null,
  authentication: 'client_secret',
}

describe('the other providers of a realm', () => {
  it('are shown without what is secret, with the redirect URI of the realm and their key', async () => {
    const place = await staffed()
    const { body } = await place.ann(LIST)
    const issuer = 'https://id.example.com/realms/acme'
    expect(body).toEqual({
      items: [
        {
          ...UNSET,
          id: 'google',
          name: 'Google',
          type: 'oidc',
          issuer: 'https://127.0.0.1:1',
          client_id: 'ostiary',
          redirect_uri: `${issuer}/login/callback/google`,
          backchannel_logout_uri: `${issuer}/login/upstream/google/logout`,
          key: 'realms.acme.identity.upstreams.google',
        },
        {
          ...UNSET,
          id: 'github',
          name: 'GitHub',
          type: 'github',
          issuer: null,
          client_id: 'x',
          redirect_uri: `${issuer}/login/callback/github`,
          backchannel_logout_uri: null,
          key: 'realms.acme.identity.upstreams.github',
        },
      ],
    })
    expect((await place.ann(`${LIST}/github`)).body).toEqual(body.items[1])
    for (const name of ['none', 'constructor', '__proto__'])
      for (const line of [`${LIST}/${name}`, `POST /realms/acme/upstreams/${name}/check`])
        expect(await place.ann(line)).toMatchObject(problem('not_found', 404))
  })

  it('are an empty list where there are none', async () => {
    const place = await staffed({ bare: true })
    expect(await place.ann(LIST)).toMatchObject({ status: 200, body: { items: [] } })
  })

  it('are no matter of a support role', async () => {
    const place = await staffed()
    for (const line of [LIST, `${LIST}/google`, 'POST /realms/acme/upstreams/google/check'])
      expect(await place.sue(line)).toMatchObject(problem('not_found', 404))
  })

  it('a check says what is wrong and what to do, and has no row: nothing is changed', async () => {
    const place = await staffed()
    const check = (id: string) => place.ann(`POST /realms/acme/upstreams/${id}/check`)
    const google = await check('google')
    expect(google).toMatchObject({
      status: 200,
      body: { id: 'google', asked: true, ready: false, reason: 'unreachable', hint: expect.any(String) },
    })
    expect((await check('github')).body).toEqual({
      id: 'github',
      asked: false,
      ready: true,
      reason: null,
      hint: null,
    })
    expect(await place.changes()).toEqual([])
  })

  it('no answer has the secret', async () => {
    const place = await staffed()
    const answers = await Promise.all(
      [LIST, `${LIST}/google`, 'POST /realms/acme/upstreams/google/check'].map((line) => place.ann(line)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(JSON.stringify(answers)).not.toContain(UPSTREAM_SECRET)
  })
})

describe('registration', () => {
  it('is what the configuration allows', async () => {
    const registration = { enabled: true, reuse: true, allowed_redirect_domains: ['app.example.com'] }
    const metadata_documents = { enabled: false, allowed_hosts: ['*.example.com'] }
    const oidc = { clients: { registration, metadata_documents }, throttle: { registrations_per_day: 7 } }
    const place = await staffed({ oidc })
    expect((await place.ann('GET /realms/acme/registration')).body).toEqual({
      registration: {
        ...registration,
        registration_endpoint: 'https://id.example.com/realms/acme/oauth/register',
        allowed_redirect_schemes: [],
        allowed_private_use_schemes: [],
        unused_lifetime: 86_400,
        register: 60,
        registrations_per_day: 7,
      },
      metadata_documents,
    })
    expect(await place.sue('GET /realms/acme/registration')).toMatchObject(problem('not_found', 404))
  })

  it('is off when the configuration does not say so', async () => {
    const { body } = await (await staffed()).ann('GET /realms/acme/registration')
    expect(body.registration).toMatchObject({ enabled: false, registration_endpoint: null })
    expect(body.metadata_documents.enabled).toBe(false)
  })
})

describe.each(STORAGES)('%s', (_, open) => {
  it('clients that registered themselves are listed, in pages', async () => {
    const clients = Array.from({ length: 9 }, (_each, n) => ({
      client_id: `c-${n}`,
      origin: n % 2 === 0 ? ('registered' as const) : ('operator' as const),
    }))
    const place = await open({ clients })
    const ids: string[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await place.ann(`GET /realms/acme/clients?origin=registered&limit=2${more}`)
      ids.push(...body.items.map(({ client_id }: { client_id: string }) => client_id))
      cursor = body.next
      if (cursor !== null)
        expect(await place.ann(`GET /realms/acme/clients?cursor=${cursor}`)).toMatchObject(
          problem('invalid_cursor', 400),
        )
    }
    expect([ids, pages]).toEqual([['c-0', 'c-2', 'c-4', 'c-6', 'c-8'], 3])
    expect(await place.ann('GET /realms/acme/clients?origin=nothing')).toMatchObject(
      problem('invalid_request', 400),
    )
  })
})

it('a page with a filter looks at a thousand clients', async () => {
  const place = await staffed()
  const create = place.w.storage('acme').clients
  const [first] = await create.list({ limit: 1 })
  if (first === undefined) throw new Error('There is no client')
  for (let n = 0; n < MAX_LOOKED_AT; n += 1)
    await create.create({ ...first, client_id: `a-${String(n).padStart(4, '0')}` })
  await create.create({ ...first, client_id: 'b', origin: 'registered' })
  const { body } = await place.ann('GET /realms/acme/clients?origin=registered')
  expect([body.items, body.next]).toEqual([[], expect.any(String)])
  const next = await place.ann(`GET /realms/acme/clients?origin=registered&cursor=${body.next}`)
  expect([next.body.items.map(({ client_id }: { client_id: string }) => client_id), next.body.next]).toEqual([
    ['b'],
    null,
  ])
})
