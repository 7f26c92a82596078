/** `/device`, where a user enters the code of a device and answers its request (RFC 8628 §3.3, §5.4). */

import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { describe, expect, it } from 'vitest'
import {
  answer,
  approved,
  ask,
  askFrom,
  browserAt,
  confirmation,
  DEVICE_ADDRESS,
  DEVICE_CODE,
  type DeviceWorld,
  decide,
  deviceClient,
  deviceWorld,
  enter,
  poll,
  polled,
  reasons,
  signIn,
  USER_ADDRESS,
  watchedStorage,
} from './device.js'
import { CLIENT_SECRET } from './support.js'

const OFFLINE_ABSOLUTE = 7_776_000
const pageOf = (w: DeviceWorld) => w.pages.at(-1)
const grants = async (w: DeviceWorld) => (await w.provider.manage(w.realm)).grants.list('alice')

describe('the code', () => {
  it('is asked for, and the address of the page may fill the field, which sends nothing', async () => {
    const w = await deviceWorld({ routing: 'path' })
    const browser = await browserAt(w)
    const { body } = await ask(w)
    for (const [query, user_code] of [
      ['', null],
      [`?user_code=${body.user_code}`, body.user_code],
      ['?user_code=%3Cscript%3E', null],
    ]) {
      const response = await browser.get(`${w.issuer}/device${query}`)
      expect([response.status, pageOf(w)]).toEqual([
        200,
        expect.objectContaining({ page: 'code', user_code, problem: null, action: `${w.issuer}/device` }),
      ])
    }
    expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
    const head = new Request(`${w.issuer}/device`, { method: 'HEAD' })
    expect((await w.provider.fetch(head)).status).toBe(200)
  })

  it('is in verification_uri_complete for a client whose record allows it, and has to be sent there too', async () => {
    const w = await deviceWorld({
      routing: 'path',
      clients: [await deviceClient({ verification_uri_complete: true })],
    })
    const { body } = await ask(w)
    expect(body.verification_uri_complete).toBe(`${body.verification_uri}?user_code=${body.user_code}`)
    const browser = await browserAt(w)
    await browser.get(String(body.verification_uri_complete))
    expect(pageOf(w)).toMatchObject({ page: 'code', user_code: body.user_code })
    expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
  })

  it.each([
    ['in lower case', (code: string) => code.toLowerCase()],
    ['without a dash', (code: string) => code.replace('-', '')],
    ['with spaces and other dashes', (code: string) => ` ${[...code.replace('-', '')].join('– ')} `],
  ])('is the same %s', async (_, written) => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    await enter(w, await browserAt(w), written(body.user_code))
    expect(confirmation(w).user_code).toBe(body.user_code)
  })

  it('is kept through the sign-in, and looked up only afterwards', async () => {
    const w = await deviceWorld({ routing: 'path' })
    const { body } = await ask(w)
    const browser = await browserAt(w, USER_ADDRESS, null)
    await enter(w, browser, body.user_code)
    const page = pageOf(w)
    if (page?.page !== 'sign_in') throw new Error(`The page is ${page?.page}`)
    expect(page.return_to).toEqual({ path: `/device?user_code=${body.user_code}` })
    const location = await signIn(w, browser, page.return_to)
    expect(location).toBe(`${w.issuer}${page.return_to.path}`)
    await browser.get(location ?? '')
    expect(pageOf(w)).toMatchObject({ page: 'code', user_code: body.user_code })
    await enter(w, browser, body.user_code)
    expect(confirmation(w).client.client_id).toBe('tv')
  })

  it('tells a stranger nothing: an unknown code leads to the sign-in too', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const stranger = await browserAt(w, USER_ADDRESS, null)
    for (const code of [body.user_code, 'BBBB-BBBB', 'no code']) {
      expect((await enter(w, stranger, code)).status).toBe(200)
      expect(pageOf(w)).toMatchObject({ page: 'sign_in' })
    }
    expect(reasons(w)).toEqual([])
  })

  it('that is unknown, expired, answered or malformed has one answer', async () => {
    const w = await deviceWorld()
    const browser = await browserAt(w)
    const expired = (await ask(w)).body.user_code
    w.clock.now += 600
    const answered = (await ask(w)).body.user_code
    await decide(w, browser, { user_code: answered })
    const answers = []
    for (const code of ['BBBB-BBBB', expired, answered, 'no code', '']) {
      const response = await enter(w, browser, code)
      answers.push([response.status, await response.text(), pageOf(w)])
    }
    const [first] = answers
    expect(first).toEqual([
      400,
      'the page code',
      expect.objectContaining({ page: 'code', user_code: null, problem: 'unknown' }),
    ])
    const withoutRequest = answers.map(([status, text, page]) => [
      status,
      text,
      { ...Object(page), request: 0 },
    ])
    expect(
      new Set(withoutRequest.map((one) => JSON.stringify(one, ['page', 'problem', 'user_code', 'action'])))
        .size,
    ).toBe(1)
    expect(reasons(w)).toEqual(Array(5).fill('unknown_user_code'))
  })
})

describe('the page that asks', () => {
  it('shows the code, the application, what it may do, and where and when the device has asked', async () => {
    const w = await deviceWorld({ oidc: { resources: { notes: { scopes: ['notes.read'] } } } })
    const requested_at = w.clock.now
    const { body } = await ask(w, { scope: 'openid notes.read', resource: `${w.issuer}/notes` })
    w.clock.now += 60
    await enter(w, await browserAt(w), body.user_code)
    expect(confirmation(w)).toMatchObject({
      client: { client_name: 'The television', origin: 'operator' },
      user: { sub: 'alice' },
      user_code: body.user_code,
      scopes: [{ value: 'openid' }, { value: 'notes.read' }],
      resources: [`${w.issuer}/notes`],
      requested_at,
      address: DEVICE_ADDRESS,
      is_other_address: true,
      max_lifetime: OFFLINE_ABSOLUTE,
    })
  })

  it.each([
    ['of a trusted client', { trusted: true }],
    ['of a client that needs no consent', { consent_required: false }],
  ])('comes for a device %s', async (_, fields) => {
    const w = await deviceWorld({ clients: [await deviceClient(fields)] })
    const { body } = await ask(w)
    await enter(w, await browserAt(w), body.user_code)
    expect(confirmation(w).user_code).toBe(body.user_code)
    expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
  })

  it('comes although a consent is stored, and although the user has approved another device before', async () => {
    const w = await deviceWorld()
    const approved = [{ resource: w.issuer, scopes: ['openid', 'profile'] }]
    await w.storage('default').consents.merge({ sub: 'alice', client_id: 'tv', approved }, w.clock.now)
    const browser = await browserAt(w)
    for (let n = 0; n < 2; n += 1) {
      const { body } = await ask(w)
      await enter(w, browser, body.user_code)
      expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
      await answer(w, browser, { confirmation_token: confirmation(w).confirmation_token })
      expect((await poll(w, { device_code: body.device_code })).status).toBe(200)
    }
  })

  it('shows hidden scopes of a client that any program can pretend to be, and only of such a one', async () => {
    const scopes = { internal: { hidden: true, description: 'See how it works inside' } }
    const clients = [
      await deviceClient(),
      await deviceClient({ client_id: 'secret', client_secret: CLIENT_SECRET }),
    ]
    const w = await deviceWorld({ clients, oidc: { scopes } })
    const browser = await browserAt(w)
    const shown = []
    for (const client of [{}, { client_id: 'secret', client_secret: CLIENT_SECRET }]) {
      const { body } = await ask(w, { scope: 'openid internal', ...client })
      await enter(w, browser, body.user_code)
      const { any_program, scopes: listed } = confirmation(w)
      shown.push([any_program, listed.map(({ value }) => value)])
    }
    expect(shown).toEqual([
      [true, ['openid', 'internal']],
      [false, ['openid']],
    ])
  })

  it.each([
    ['the same address', [DEVICE_ADDRESS, DEVICE_ADDRESS], false],
    ['another address', [DEVICE_ADDRESS, USER_ADDRESS], true],
    ['the same /64', ['2001:db8::1', '2001:db8::2'], false],
    ['another /64', ['2001:db8::1', '2001:db8:0:1::1'], true],
    ['an unknown address', [null, USER_ADDRESS], false],
  ])(
    'says whether the device has asked from the address of the browser: %s',
    async (_, [device = null, user = null], other) => {
      const w = await deviceWorld()
      const { body } = await askFrom(w, { address: device })
      await enter(w, await browserAt(w, user ?? ''), body.user_code)
      expect(confirmation(w)).toMatchObject({ address: device, is_other_address: other })
    },
  )

  it('shows no address that a peer only claims', async () => {
    const w = await deviceWorld()
    const request = new Request(`${w.issuer}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'tv' }),
    })
    const response = await w.provider.fetch(request, { address: '203.0.113.1', peer: '203.0.113.2' })
    const { user_code } = await response.json()
    await enter(w, await browserAt(w), user_code)
    expect(confirmation(w).address).toBeNull()
  })
})

describe('the answer', () => {
  it('refuse is final: the code is used up, and nothing is granted', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const browser = await browserAt(w)
    const response = await decide(w, browser, { user_code: body.user_code, answer: 'refuse' })
    expect(await response.text()).toBe('the page refused')
    expect((await enter(w, browser, body.user_code)).status).toBe(400)
    expect(await polled(w, body.device_code)).toEqual([400, 'access_denied'])
    expect(await grants(w)).toEqual([])
  })

  it('that is neither allow nor refuse changes nothing, and the page can be answered', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const browser = await browserAt(w)
    await enter(w, browser, body.user_code)
    const { confirmation_token } = confirmation(w)
    expect((await answer(w, browser, { confirmation_token, answer: '' })).status).toBe(400)
    expect((await answer(w, browser, { confirmation_token })).status).toBe(200)
    expect(await grants(w)).toHaveLength(1)
  })

  it('is given once: a repeated, a forged and an expired one get the page for the code again', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const browser = await browserAt(w)
    await enter(w, browser, body.user_code)
    const { confirmation_token } = confirmation(w)
    await answer(w, browser, { confirmation_token })
    const other = (await ask(w)).body
    await enter(w, browser, other.user_code)
    const late = confirmation(w).confirmation_token
    w.clock.now += 600
    for (const token of [confirmation_token, 'forged', late]) {
      expect((await answer(w, browser, { confirmation_token: token })).status).toBe(403)
      expect(pageOf(w)).toMatchObject({ page: 'code', problem: 'expired' })
    }
    expect(reasons(w)).toEqual(Array(3).fill('bad_device_confirmation'))
    expect(w.events.filter(({ type }) => type === 'device.approved')).toHaveLength(1)
  })

  it.each([
    ['allow', 'allow'],
    ['refuse', 'allow'],
    ['allow', 'refuse'],
  ])('of two tabs is one: %s, then %s', async (first, second) => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const browser = await browserAt(w)
    await enter(w, browser, body.user_code)
    const [one] = [confirmation(w)]
    await enter(w, browser, body.user_code)
    const two = confirmation(w)
    const { confirmation_token } = two
    expect((await answer(w, browser, { confirmation_token, answer: first })).status).toBe(200)
    const again = await answer(w, browser, { confirmation_token: one.confirmation_token, answer: second })
    expect(again.status).toBe(403)
    expect(await grants(w)).toHaveLength(first === 'allow' ? 1 : 0)
  })

  it('allow by two users at the same time makes one grant', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const [alice, bob] = [await browserAt(w), await browserAt(w, USER_ADDRESS, 'bob')]
    await enter(w, alice, body.user_code)
    const first = confirmation(w).confirmation_token
    await enter(w, bob, body.user_code)
    const second = confirmation(w).confirmation_token
    const answers = await Promise.all([
      answer(w, alice, { confirmation_token: first }),
      answer(w, bob, { confirmation_token: second }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const { grants: all } = await w.provider.manage()
    expect([...(await all.list('alice')), ...(await all.list('bob'))]).toHaveLength(1)
  })

  it('of another session is none: of another browser of the user, of another user, and after a new sign-in', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const browser = await browserAt(w)
    await enter(w, browser, body.user_code)
    const { confirmation_token } = confirmation(w)
    const others = [
      await browserAt(w),
      await browserAt(w, USER_ADDRESS, 'bob'),
      await browserAt(w, USER_ADDRESS, null),
    ]
    for (const other of others) expect((await answer(w, other, { confirmation_token })).status).toBe(403)
    await signIn(w, browser)
    expect((await answer(w, browser, { confirmation_token })).status).toBe(403)
    expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
  })

  it('in a session that ends meanwhile makes no grant', async () => {
    const hooks: { take?: () => Promise<unknown> } = {}
    const w = await deviceWorld({ storage: watchedStorage(hooks) })
    const { body } = await ask(w)
    const browser = await browserAt(w)
    await enter(w, browser, body.user_code)
    const { confirmation_token } = confirmation(w)
    hooks.take = async () => (await w.provider.manage()).sessions.endAll('alice')
    expect((await answer(w, browser, { confirmation_token })).status).toBe(400)
    expect(await grants(w)).toEqual([])
    expect(await polled(w, body.device_code)).toEqual([400, 'access_denied'])
  })
})

describe('a client with a metadata document', () => {
  const CLIENT_ID = 'https://tool.example.com/client.json'
  const document = (changes: Record<string, unknown> = {}) => ({
    client_id: CLIENT_ID,
    client_name: 'The tool',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', DEVICE_CODE],
    token_endpoint_auth_method: 'none',
    ...changes,
  })
  async function start(device_authorization: 'operator' | 'documents', changes = {}) {
    const documents = publishedDocuments()
    documents.serve(CLIENT_ID, { headers: { 'cache-control': 'max-age=300' }, body: document(changes) })
    const { fetch_document } = documents
    const clients = { metadata_documents: { enabled: true }, device_authorization }
    return { documents, w: await deviceWorld({ fetch_document, clients: [], oidc: { clients } }) }
  }
  const askAs = async (w: DeviceWorld) => ask(w, { client_id: CLIENT_ID, scope: 'openid' })

  it('has the grant with "documents" if its document asks for it', async () => {
    const { w } = await start('documents')
    const { body } = await askAs(w)
    await decide(w, await browserAt(w), body)
    const { status } = await poll(w, { client_id: CLIENT_ID, device_code: body.device_code })
    expect(status).toBe(200)
    expect(await (await w.provider.manage()).clients.find(CLIENT_ID)).not.toBeNull()
  })

  it.each([
    ['with "operator"', 'operator', {}],
    ['when the document asks for other grants', 'documents', { grant_types: ['authorization_code'] }],
    ['when the document names no grants', 'documents', { grant_types: undefined }],
  ] as const)('does not have it %s', async (_, setting, changes) => {
    const { w } = await start(setting, changes)
    const { status, body } = await askAs(w)
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
  })

  it('whose document changes while the page is open is not approved', async () => {
    const { w, documents } = await start('documents')
    const { body } = await askAs(w)
    const browser = await browserAt(w)
    await enter(w, browser, body.user_code)
    const { confirmation_token } = confirmation(w)
    documents.put(document({ redirect_uris: ['https://other.example.com/callback'] }))
    w.clock.now += 300
    expect((await answer(w, browser, { confirmation_token })).status).toBe(403)
    expect(await grants(w)).toEqual([])
  })
})

it('a client that registered itself never has the grant, whatever its record says', async () => {
  const clients = [await deviceClient({ origin: 'registered' })]
  for (const device_authorization of ['operator', 'documents'] as const) {
    const w = await deviceWorld({ clients, oidc: { clients: { device_authorization } } })
    expect((await ask(w)).body.error).toBe('unauthorized_client')
    expect(await polled(w, 'x')).toEqual([400, 'unauthorized_client'])
  }
})

it('a client without the grant type cannot begin', async () => {
  const w = await deviceWorld({ clients: [await deviceClient({ grant_types: ['authorization_code'] })] })
  expect((await ask(w)).body.error).toBe('unauthorized_client')
})

describe('without pages of the application', () => {
  const plain = {
    login: async () => new Response('the sign-in'),
    consent: async () => new Response('the consent view'),
  }

  it('built-in ones come, which escape what the client has chosen, and cannot be framed', async () => {
    const clients = [await deviceClient({ client_name: '<b>&amp;"\'' })]
    const w = await deviceWorld({ clients, interactions: plain })
    const { body } = await ask(w)
    const stranger = await browserAt(w, USER_ADDRESS, null)
    const browser = await browserAt(w)
    const texts = []
    for (const response of [
      await browser.get(`${w.issuer}/device?user_code=${body.user_code}`),
      await enter(w, stranger, body.user_code),
      await enter(w, browser, 'BBBB-BBBB'),
      await enter(w, browser, body.user_code),
    ]) {
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      texts.push(await response.text())
    }
    const [code, sign_in, unknown, asked = ''] = texts
    expect(code).toContain(`value="${body.user_code}"`)
    expect(sign_in).toContain(`${w.issuer}/device?user_code=${body.user_code}`)
    expect(unknown).toContain('role="alert"')
    expect(asked).toContain(body.user_code)
    expect(asked).not.toContain('<b>')
    expect(asked).toContain('Did somebody send you this code? Then refuse.')
    const [, confirmation_token = ''] = /name="confirmation_token" value="([^"]*)"/.exec(asked) ?? []
    const done = await answer(w, browser, { confirmation_token })
    expect(await done.text()).toContain('The device is connected')
    const other = (await ask(w)).body
    const again = await (await enter(w, browser, other.user_code)).text()
    const [, token = ''] = /name="confirmation_token" value="([^"]*)"/.exec(again) ?? []
    const refused = await answer(w, browser, { confirmation_token: token, answer: 'refuse' })
    expect(await refused.text()).toContain('It gets no access')
  })
})

it('an error is a page for a browser', async () => {
  const w = await deviceWorld()
  const request = new Request(`${w.issuer}/device`, { method: 'POST', headers: NAVIGATION_HEADERS })
  expect((await w.provider.fetch(request)).status).toBe(400)
  expect((await w.provider.fetch(new Request(`${w.issuer}/device`, { method: 'DELETE' }))).status).toBe(405)
})

it('what was approved in one realm is unknown in another', async () => {
  const w = await deviceWorld({ routing: 'path' })
  const { user_code, browser } = await approved(w)
  const response = await browser.post(`${w.issuer.replace('acme', 'other')}/device`, { user_code })
  expect([response.status, pageOf(w)]).toEqual([200, expect.objectContaining({ page: 'sign_in' })])
})
