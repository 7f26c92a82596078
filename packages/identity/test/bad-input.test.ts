import { describe, expect, it } from 'vitest'
import { memoryUsers, upsertUser } from '../src/index.js'
import { browser, failingThrottle, openLogin, PASSWORD, type Setup, setup } from './_setup.js'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function post(s: Setup, body: BodyInit | null, headers: Record<string, string> = FORM) {
  return s.handle(
    new Request('https://id.example/login', { method: 'POST', body, headers, duplex: 'half' } as RequestInit),
  )
}

describe('a form that cannot be read', () => {
  it.each([
    ['nothing', ''],
    ['a missing field', 'return_to=a&csrf_token=b&username=c'],
    ['a duplicate', 'return_to=a&csrf_token=b&username=c&username=d&password=e'],
    ['a duplicate of the request', 'return_to=a&return_to=b&csrf_token=b&username=c&password=e'],
    ['__proto__', '__proto__=x&__proto__[username]=y&constructor=z'],
    ['a NUL', '\0'],
    ['broken escapes', '%&%2&=%zz&username=%E0%A4%A'],
  ])('is a 400 page: %s', async (_, body) => {
    const response = await post(await setup(), body)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('The form arrived incomplete.')
  })

  it('is a 400 page: more than 200 fields, which are counted before they are read', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const status = async (count: number) => {
      const named = { ...fields, username: 'nobody', password: 'wrong' }
      const others = Array.from({ length: count - 4 }, (_, index) => [`field${index}`, 'x'])
      return (await b.post(url, { ...named, ...Object.fromEntries(others) })).status
    }
    expect([await status(200), await status(201)]).toEqual([422, 400])
  })

  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', '', 'x'])(
    'is a 415 page: content type %j',
    async (type) => {
      const response = await post(await setup(), 'username=a', { 'content-type': type })
      expect(response.status).toBe(415)
    },
  )

  it('may have parameters and any case in its content type', async () => {
    const type = 'Application/X-WWW-Form-URLEncoded; charset=UTF-8'
    expect((await post(await setup(), 'username=a', { 'content-type': type })).status).toBe(400)
  })

  it('is a 413 page: 1 MB', async () => {
    const response = await post(await setup(), `password=${'x'.repeat(1_000_000)}`)
    expect(response.status).toBe(413)
    expect(await response.text()).toContain('more than 20 KiB')
  })

  it('is a 413 page: an endless stream, which is read up to the limit only', async () => {
    let chunks = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++
        controller.enqueue(new Uint8Array(4096))
      },
      cancel() {
        cancelled = true
      },
    })
    expect((await post(await setup(), endless)).status).toBe(413)
    expect(chunks).toBeLessThan(10)
    expect(cancelled).toBe(true)
  })

  it('is a 413 page: a Content-Length above the limit, without reading', async () => {
    const headers = { ...FORM, 'content-length': '1000000' }
    expect((await post(await setup(), 'x', headers)).status).toBe(413)
  })

  it('is a 400 page: a stream that breaks off', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('gone')),
    })
    expect((await post(await setup(), broken)).status).toBe(400)
  })
})

describe('unusual names and passwords', () => {
  it.each(['a\0b', '\uFFFD', '__proto__', 'constructor', '\u202Eada', 'x'.repeat(1000), '🐎'.repeat(128)])(
    'are refused like any other: %j',
    async (value) => {
      const s = await setup()
      const b = browser(s)
      const { url, fields } = await openLogin(s, b)
      expect((await b.post(url, { ...fields, username: value, password: PASSWORD })).status).toBe(422)
      expect((await b.post(url, { ...fields, username: 'ada', password: value })).status).toBe(422)
    },
  )

  it('are refused when their bytes are not UTF-8', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const start = new URLSearchParams(fields).toString()
    const cookie = [...b.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const bytes = Buffer.concat([
      Buffer.from(`${start}&username=a`),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('&password=%ff'),
    ])
    const request = new Request(url, { method: 'POST', headers: { ...FORM, cookie }, body: bytes })
    expect((await s.handle(request)).status).toBe(422)
  })

  it('are shown again with at most 255 characters, escaped', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const html = await (
      await b.post(url, { ...fields, username: `"><b>${'x'.repeat(400)}`, password: 'y' })
    ).text()
    expect(html).toContain(`value="&quot;&gt;&lt;b&gt;${'x'.repeat(250)}"`)
  })
})

describe('other requests', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s /login is 405 with Allow', async (method) => {
    const s = await setup()
    const response = await s.handle(new Request('https://id.example/login', { method }))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
    const style = await s.handle(new Request('https://id.example/login/style.css', { method }))
    expect(style.status).toBe(405)
    expect(style.headers.get('allow')).toBe('GET, HEAD')
  })

  it('HEAD is answered like GET, without a body', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const response = await b.get(`${url}?return_to=${fields.return_to}`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it.each([
    '/',
    '/login/',
    '/login/x',
    '/Login',
    '/x/login',
    '/oauth/token',
    '/realms/x/login',
    '/oauth/authorize?x=/login',
  ])('%s is not a path of the pages', async (path) => {
    const s = await setup()
    expect(await s.identity.fetch(s.provider, new Request(`https://id.example${path}`))).toBeNull()
  })

  it('an unknown realm has no pages', async () => {
    const s = await setup({ oidc: { routes: { realms: 'path' }, realms: { one: {} } } })
    for (const path of ['/login', '/realms/two/login', '/realms/__proto__/login', '/realms/%00/login'])
      expect(await s.identity.fetch(s.provider, new Request(`https://id.example${path}`))).toBeNull()
  })

  it('a failing store gives an error page, and the event has the cause', async () => {
    const cause = new Error('database is down')
    const s = await setup({
      identity: { throttle: failingThrottle(cause) },
    })
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const response = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('database')
    expect(s.events).toMatchObject([{ type: 'server.error', cause }])
  })

  it('an unavailable store gives a 503 page with Retry-After', async () => {
    const cause = new Error('connection refused')
    const s = await setup({
      identity: {
        throttle: failingThrottle(cause),
        unavailable: (error) => error === cause,
      },
    })
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const response = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.text()).toContain('Please wait a few seconds, then load this page again.')
    expect(s.events).toMatchObject([{ type: 'server.error', cause }])
  })

  it('a failing provider gives an error page to a browser, and JSON to other clients', async () => {
    const users = memoryUsers()
    await upsertUser(users('default'), { username: 'ada', password: PASSWORD })
    let down = false
    const find = async (sub: string) =>
      down ? Promise.reject(new Error('database is down')) : users('default').find(sub)
    const s = await setup({ identity: { users: (realm) => ({ ...users(realm), find }) } })
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    down = true
    const logout = `${s.base('default')}/oauth/logout`
    const page = await b.get(logout, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('Something went wrong')
    const answer = await b.get(logout, { headers: { accept: 'application/json' } })
    expect([answer.status, (await answer.json()).error]).toEqual([500, 'server_error'])
  })
})
