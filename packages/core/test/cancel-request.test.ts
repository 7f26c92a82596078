/** The way back from a sign-in: `provider.cancel` answers the pending request with `access_denied`, once. */

import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { describe, expect, it } from 'vitest'
import type { CancelledRequest } from '../src/index.js'
import { open, parameters, pushed } from './par.js'
import { answer, client, elsewhere, REDIRECT_URI, type World, type WorldOptions, world } from './support.js'

const ERROR_PAGE = '<h1>The page of an error</h1>'

const start = async (options: WorldOptions = {}): Promise<World> =>
  world({ clients: [await client({ trusted: true })], ...options })

/** Sends what the form of the application's sign-in page sends. */
function cancel(
  w: World,
  changes: Partial<CancelledRequest> & { method?: string; address?: string; cookie?: string } = {},
): Promise<Response> {
  const {
    return_to = w.logins.at(-1)?.return_to ?? '',
    error,
    method = 'POST',
    address,
    cookie = '',
  } = changes
  const headers = { ...NAVIGATION_HEADERS, cookie }
  const request = new Request(`${w.issuer}/login`, { method, headers })
  return w.provider.cancel(
    request,
    { return_to, ...(error && { error }) },
    address === undefined ? {} : { address },
  )
}

const denied = (w: World, state = 'the state') => ({
  status: 303,
  to: REDIRECT_URI,
  error: 'access_denied',
  error_description: 'The user went back without signing in',
  state,
  iss: w.issuer,
})

async function expectRefused(response: Response, status: number): Promise<void> {
  expect([response.status, response.headers.get('location')]).toEqual([status, null])
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('redirects with access_denied, state and iss', async () => {
    const w = await start({ routing })
    await w.browser().authorize()
    expect(answer(await cancel(w))).toEqual(denied(w))
    expect(w.events.at(-1)).toMatchObject({ type: 'authorization.cancelled', client_id: 'app' })
  })

  it('with unmet_authentication_requirements, where the user could not sign in as the client asks', async () => {
    const w = await start({ routing })
    await w.browser().authorize()
    const error = 'unmet_authentication_requirements'
    expect(answer(await cancel(w, { error }))).toEqual({
      ...denied(w),
      error,
      error_description: 'The user went back without the sign-in that the acr_values ask for',
    })
    expect(w.events.at(-1)).toMatchObject({ type: 'authorization.cancelled', client_id: 'app' })
    await expectRefused(await cancel(w, { error }), 400)
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('%s never redirects, and answers nothing', async (method) => {
    const w = await start({ routing })
    await w.browser().authorize()
    const response = await cancel(w, { method })
    await expectRefused(response, 405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(answer(await w.browser().signIn()).code).toBeDefined()
  })

  it('a second time: an error, and no redirect', async () => {
    const w = await start({ routing })
    await w.browser().authorize()
    const { return_to = '' } = w.logins.at(-1) ?? {}
    await cancel(w)
    await expectRefused(await cancel(w, { return_to }), 400)
  })

  it('a sign-in that ends later in another tab gets no code', async () => {
    const w = await start({ routing })
    const browser = w.browser()
    await browser.authorize()
    await cancel(w)
    await expectRefused(await browser.signIn(), 400)
    expect(w.events.map(({ type }) => type)).not.toContain('code.issued')
  })

  it('nor does a sign-in that ended before, whose consent is given after it', async () => {
    const w = await start({ routing, clients: [await client()] })
    const browser = w.browser()
    await browser.authorize()
    expect((await browser.signIn()).status).toBe(200)
    expect(answer(await cancel(w))).toEqual(denied(w))
    await expectRefused(await browser.approve(), 403)
    expect(w.events.map(({ type }) => type)).not.toContain('code.issued')
  })

  it('after the code was issued it is too late: no second answer', async () => {
    const w = await start({ routing })
    const browser = w.browser()
    await browser.authorize()
    expect(answer(await browser.signIn()).code).toBeDefined()
    await expectRefused(await cancel(w), 400)
  })

  it('one of several at the same time is answered', async () => {
    const w = await start({ routing })
    await w.browser().authorize()
    const answers = await Promise.all([1, 2, 3, 4].map(() => cancel(w)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400])
  })

  it('ends no session, and no other request', async () => {
    const w = await start({ routing })
    const browser = w.browser()
    await browser.authorize({ state: 'first' })
    await browser.signIn()
    await w.browser().authorize({ state: 'third' })
    const third = w.logins.at(-1)?.return_to ?? ''
    await w.browser().authorize({ state: 'second' })
    const cookie = browser.jar.header()
    expect(answer(await cancel(w, { cookie }))).toEqual(denied(w, 'second'))
    expect(await w.storage(w.realm).sessions.list('alice')).toHaveLength(1)
    expect(answer(await browser.authorize({ prompt: 'none' })).code).toBeDefined()
    expect(answer(await cancel(w, { return_to: third }))).toEqual(denied(w, 'third'))
  })

  it.each<[string, (return_to: string) => string]>([
    ['empty', () => ''],
    ['invented', () => 'x'],
    ['an address', () => 'https://evil.example/'],
    ['a path', () => '/account'],
    ['cut', (text) => text.slice(0, -1)],
    ['changed', (text) => `${text.slice(0, -10)}${text.at(-10) === 'A' ? 'B' : 'A'}${text.slice(-9)}`],
  ])('a return_to that is %s: an error, and no redirect', async (_, change) => {
    const w = await start({ routing })
    await w.browser().authorize()
    const return_to = change(w.logins.at(-1)?.return_to ?? '')
    await expectRefused(await cancel(w, { return_to }), 400)
    expect(answer(await cancel(w))).toEqual(denied(w))
  })

  it('a request that has expired', async () => {
    const w = await start({ routing })
    await w.browser().authorize()
    w.clock.now += 599
    const { return_to = '' } = w.logins.at(-1) ?? {}
    w.clock.now += 1
    await expectRefused(await cancel(w, { return_to }), 400)
  })

  it('a client that was revoked, or whose redirect URI was removed, meanwhile: a page, and no redirect', async () => {
    for (const change of ['revoke', 'remove'] as const) {
      const interactions = {
        login: async (prompt: World['logins'][number]) => {
          logins.push(prompt)
          return new Response('sign in')
        },
        error: async ({ status }: { status: number }) => new Response(ERROR_PAGE, { status }),
      }
      const logins: World['logins'] = []
      const w = await start({ routing, interactions })
      await w.browser().authorize()
      const removed = await client({ trusted: true, redirect_uris: ['https://client.example.com/other'] })
      await elsewhere(w, (clients) =>
        change === 'revoke' ? clients.revoke('app', w.clock.now) : clients.update(removed),
      )
      const response = await cancel(w, { return_to: logins.at(-1)?.return_to ?? '' })
      expect(await response.clone().text()).toBe(ERROR_PAGE)
      await expectRefused(response, 400)
      expect(w.events.at(-1)).toMatchObject({
        type: 'request.refused',
        reason: change === 'revoke' ? 'revoked_client' : 'unregistered_redirect_uri',
      })
    }
  })

  it('a pushed request, and one that is stored because it is long', async () => {
    const w = await start({ routing, oidc: { par: 'allowed' } })
    await open(w.browser(), w, await pushed(w))
    expect(answer(await cancel(w))).toEqual(denied(w))
    await expectRefused(await cancel(w), 400)
    const state = 's'.repeat(8000)
    await w.post('/oauth/authorize', parameters(w, { state }))
    await w.browser().authorize({ state })
    expect(w.logins.at(-1)?.return_to.startsWith('sealed.')).toBe(false)
    expect(answer(await cancel(w))).toEqual(denied(w, state))
    await expectRefused(await cancel(w), 400)
  })

  it('one address may cancel oidc.throttle.authorize requests a minute', async () => {
    const w = await start({ routing, oidc: { throttle: { authorize: 2 } } })
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1) {
      await w.browser().authorize()
      statuses.push((await cancel(w, { address: '192.0.2.1' })).status)
    }
    expect(statuses).toEqual([303, 303, 429])
    expect((await cancel(w, { address: '192.0.2.2' })).status).toBe(303)
  })
})

it('does not answer a request of another realm', async () => {
  const w = await start({ routing: 'path' })
  await w.browser().authorize()
  const { return_to = '' } = w.logins.at(-1) ?? {}
  const other = new Request(w.issuer.replace('acme', 'other'), {
    method: 'POST',
    headers: NAVIGATION_HEADERS,
  })
  await expectRefused(await w.provider.cancel(other, { return_to }), 400)
})
