/** Pages of the application: the provider's session, and a login that continues with such a page. */

import { describe, expect, it } from 'vitest'
import { redeem, type World, world } from './support.js'

function pageRequest(w: World, path: string, cookies: Map<string, string> = new Map()): Request {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return new Request(`${w.issuer}${path}`, { method: 'POST', headers: { cookie } })
}

const loginTo = (w: World, path: string, cookies?: Map<string, string>): Promise<Response> =>
  w.provider.login(pageRequest(w, '/login', cookies), { sub: 'alice', amr: ['pwd'], return_to: { path } })

function cookiesOf(response: Response): Map<string, string> {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? '') ?? []
  return new Map([[name, value]])
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('provider.session', () => {
    it('is null without a cookie, with an invented one, and with another realm’s', async () => {
      const w = await world({ routing })
      expect(await w.provider.session(pageRequest(w, '/account'))).toBeNull()
      const cookies = cookiesOf(await loginTo(w, '/account'))
      for (const name of cookies.keys())
        expect(await w.provider.session(pageRequest(w, '/account', new Map([[name, 'made-up']])))).toBeNull()
      if (routing === 'single') return
      const elsewhere = new Request(pageRequest(w, '/account', cookies).url.replace('acme', 'other'), {
        headers: pageRequest(w, '/account', cookies).headers,
      })
      expect(await w.provider.session(elsewhere)).toBeNull()
    })

    it('has the session and the user of the cookie', async () => {
      const w = await world({ routing })
      const browser = w.browser()
      const { code } = await browser.code()
      const present = await w.provider.session(pageRequest(w, '/account', browser.cookies))
      expect(present?.user.claims.name).toBe('Alice Adams')
      expect(present?.session).toMatchObject({ sub: 'alice', amr: ['pwd'], client_ids: ['app'] })
      expect((await redeem(w, code)).status).toBe(200)
    })

    it('is null once the session has ended or expired, or the user is deleted', async () => {
      const w = await world({ routing, oidc: { session: { absolute_lifetime: 60 } } })
      const { sessions } = await w.provider.manage(w.realm)
      const ended = cookiesOf(await loginTo(w, '/account'))
      const [session] = await sessions.list('alice')
      await sessions.end(session?.sid ?? '', 'account_page')
      expect(await w.provider.session(pageRequest(w, '/account', ended))).toBeNull()
      expect(w.events.at(-1)).toMatchObject({ type: 'session.ended', reason: 'account_page' })

      const cookies = cookiesOf(await loginTo(w, '/account'))
      const request = pageRequest(w, '/account', cookies)
      expect(await w.provider.session(request)).not.toBeNull()
      w.clock.now += 60
      expect(await w.provider.session(request)).toBeNull()
      w.clock.now -= 60
      w.accounts.delete('alice')
      expect(await w.provider.session(request)).toBeNull()
    })
  })

  describe('a login that continues with a page', () => {
    it.each(['/account', '/account?tab=1', '/a/b', '/'])('goes to %s below the realm', async (path) => {
      const w = await world({ routing })
      const response = await loginTo(w, path)
      expect([response.status, response.headers.get('location')]).toEqual([303, w.issuer + path])
      expect(await w.provider.session(pageRequest(w, '/account', cookiesOf(response)))).not.toBeNull()
    })

    it.each([
      ['an address of its own', 'https://evil.example/'],
      ['no slash: the host would go on', '.evil.example/'],
      ['a port', ':8443/'],
      ['user-info', '@evil.example/'],
      ['nothing', ''],
      ['a script', 'javascript:alert(1)'],
    ])('is refused for %s, and no session starts', async (_, path) => {
      const w = await world({ routing })
      const response = await loginTo(w, path)
      expect(response.status).toBe(400)
      expect(response.headers.get('location')).toBeNull()
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await w.storage(w.realm).sessions.list('alice')).toEqual([])
    })

    it.each(['//evil.example', '/\\evil.example', '/\t/evil.example', '/%0d%0aset-cookie:x=y', '/\r\nx: y'])(
      'never leaves the origin: %j',
      async (path) => {
        const w = await world({ routing })
        const location = (await loginTo(w, path)).headers.get('location') ?? ''
        expect(location.startsWith(`${w.issuer}/`)).toBe(true)
        expect(new URL(location).origin).toBe(new URL(w.issuer).origin)
      },
    )

    it('starts a new session and ends the previous one', async () => {
      const w = await world({ routing })
      const first = cookiesOf(await loginTo(w, '/account'))
      const second = cookiesOf(await loginTo(w, '/account', first))
      expect([...second.values()]).not.toEqual([...first.values()])
      expect(await w.provider.session(pageRequest(w, '/account', first))).toBeNull()
      expect(await w.storage(w.realm).sessions.list('alice')).toHaveLength(1)
    })
  })

  it('a client can be looked up by its id, in its own realm', async () => {
    const w = await world({ routing })
    const { clients } = await w.provider.manage(w.realm)
    expect((await clients.find('app'))?.client_name).toBe('The App')
    expect(await clients.find('unheard')).toBeNull()
    if (routing === 'single') return
    expect(await (await w.provider.manage('other')).clients.find('app')).toBeNull()
  })
})

it('with realms by path, a login does not lead into another realm', async () => {
  const w = await world({ routing: 'path' })
  for (const path of ['/../other/account', '/..', '/%2e%2e/other/account', '/..\\other'])
    expect((await loginTo(w, path)).status, path).toBe(400)
})
