import { describe, expect, it } from 'vitest'
import { authorizeUrl, browser, hidden, openLogin, PASSWORD, type Setup, setup } from './_setup.js'

const LOGIN = { username: 'ada', password: PASSWORD }

async function expectRefused(s: Setup, response: Response) {
  expect(response.status).toBe(403)
  expect(response.headers.get('location')).toBeNull()
  expect(await response.text()).toContain('Please allow cookies for this site, and try again.')
  expect(s.counts.verify).toBe(0)
  expect(response.headers.getSetCookie().join()).not.toContain('session')
  expect(s.events).toMatchObject([{ type: 'login.refused', reason: 'csrf' }])
}

describe('a forged sign-in is refused', () => {
  it.each(['', 'wrong', 'x'.repeat(43), 'é', '\0'])('with the token %j', async (csrf_token) => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    await expectRefused(s, await b.post(url, { ...fields, csrf_token, ...LOGIN }))
  })

  it('without the cookie, and gets a form that works', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    b.cookies.clear()
    const refused = await b.post(url, { ...fields, ...LOGIN })
    const html = await refused.clone().text()
    await expectRefused(s, refused)
    const again = { return_to: hidden(html, 'return_to'), csrf_token: hidden(html, 'csrf_token') }
    expect((await b.post(url, { ...again, ...LOGIN })).status).toBe(303)
  })

  it("with another browser's cookie", async () => {
    const s = await setup()
    const attacker = await openLogin(s, browser(s))
    const victim = browser(s)
    await openLogin(s, victim)
    await expectRefused(s, await victim.post(attacker.url, { ...attacker.fields, ...LOGIN }))
  })

  it.each(['', 'short', `${'x'.repeat(42)}!`, 'x'.repeat(44)])(
    'with the made-up cookie %j',
    async (value) => {
      const s = await setup()
      const b = browser(s)
      const { url, fields } = await openLogin(s, b)
      b.cookies.set('__Host-ostiary_csrf', value)
      await expectRefused(s, await b.post(url, { ...fields, ...LOGIN }))
    },
  )

  it("with another request's token", async () => {
    const s = await setup()
    const b = browser(s)
    const first = await openLogin(s, b)
    const second = await openLogin(s, b)
    const { csrf_token } = first.fields
    await expectRefused(s, await b.post(second.url, { ...second.fields, csrf_token, ...LOGIN }))
  })

  it("with another realm's token", async () => {
    const s = await setup({ oidc: { routes: { realms: 'path' }, realms: { one: {}, two: {} } } })
    const b = browser(s)
    const one = await openLogin(s, b, { realm: 'one' })
    const two = await openLogin(s, b, { realm: 'two' })
    const { csrf_token } = one.fields
    await expectRefused(s, await b.post(two.url, { ...two.fields, csrf_token, ...LOGIN }))
  })

  it.each(['cross-site', 'same-site', 'nonsense'])('with Sec-Fetch-Site: %s', async (site) => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const headers = { 'sec-fetch-site': site }
    await expectRefused(s, await b.post(url, { ...fields, ...LOGIN }, { headers }))
  })
})

describe('the cookie', () => {
  it.each(['same-origin', 'none'])(
    'is accepted with the form of the page and Sec-Fetch-Site: %s',
    async (site) => {
      const s = await setup()
      const b = browser(s)
      const { url, fields } = await openLogin(s, b)
      const headers = { 'sec-fetch-site': site, origin: 'null' }
      const signed = await b.post(url, { ...fields, ...LOGIN }, { headers })
      expect(signed.status).toBe(303)
      expect(signed.headers.getSetCookie().join()).toContain('session')
    },
  )

  it('is bound to the host on https, HttpOnly and Lax', async () => {
    const s = await setup()
    const { page } = await openLogin(s, browser(s))
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-ostiary_csrf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ) as unknown as string,
    ])
  })

  it('has a plain name on http', async () => {
    const s = await setup({ oidc: { issuer: 'http://localhost:3000' } })
    const { page } = await openLogin(s, browser(s))
    expect(page.headers.getSetCookie()[0]).toMatch(
      /^ostiary_csrf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it('is set once, so that the forms of two tabs stay valid', async () => {
    const s = await setup()
    const b = browser(s)
    const first = await openLogin(s, b)
    const second = await openLogin(s, b)
    expect(second.page.headers.getSetCookie()).toEqual([])
    expect((await b.post(first.url, { ...first.fields, ...LOGIN })).status).toBe(303)
    expect((await b.post(second.url, { ...second.fields, ...LOGIN })).status).toBe(303)
  })

  it('is not needed to be sent to the form by a foreign site', async () => {
    const s = await setup()
    const sent = await browser(s).get(authorizeUrl(s), { headers: { 'sec-fetch-site': 'cross-site' } })
    const page = await browser(s).get(sent.headers.get('location') ?? '', {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(page.status).toBe(200)
  })
})
