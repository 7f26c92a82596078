/** Logos and links of clients on the sign-in and consent pages, and what a stranger can cause with them. */

import type { Client, FetchDocument } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it } from 'vitest'
import { clientLogos } from '../src/pages/client-logos.js'
import { authorizeUrl, browser, openLogin, PASSWORD, type Setup, setup } from './_setup.js'

const LOGO_URI = 'https://app.example/logo.png'
const LINKS = {
  client_uri: 'https://app.example/',
  policy_uri: 'https://app.example/privacy',
  tos_uri: 'https://app.example/terms?a=1&b=2',
}
const PNG = Uint8Array.from('\x89PNG\r\n\x1a\n', (character) => character.charCodeAt(0))
const SVG = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
)

const answerWith = (body: Uint8Array<ArrayBuffer>, status = 200) => ({ status, headers: new Headers(), body })

/** A port that counts, and answers as the test says. */
function documents(answer: FetchDocument = async () => answerWith(PNG)) {
  const urls: string[] = []
  const fetch_document: FetchDocument = (url, options) => {
    urls.push(url)
    return answer(url, options)
  }
  return { urls, fetch_document }
}

async function start(client: Partial<Client>, fetch_document: FetchDocument): Promise<Setup> {
  return setup({ identity: { fetch_document }, client: { logo_uri: LOGO_URI, ...client } })
}

const logoIn = (html: string): string | null =>
  /<p class="logo"><img src="([^"]*)" alt="">/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null

const get = (s: Setup, path: string) => s.handle(new Request(`https://id.example${path}`))

async function consentHtml(s: Setup): Promise<string> {
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
  return (await b.get(authorizeUrl(s))).text()
}

describe('the logo of a client', () => {
  it('is on the sign-in and consent pages, from this server, and is fetched once', async () => {
    const { urls, fetch_document } = documents()
    const s = await start({}, fetch_document)
    const { html, page } = await openLogin(s, browser(s))
    const src = logoIn(html) ?? ''
    expect(src).toMatch(/^\/login\/client-logo\?client_id=app&v=[\w-]{12}$/)
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self';")
    expect(html + (await consentHtml(s))).not.toContain(LOGO_URI)
    expect(logoIn(await consentHtml(s))).toBe(src)
    const image = await get(s, src)
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(urls).toEqual([LOGO_URI])
  })

  it('may be an SVG: a script in it does not run, as an image or by itself', async () => {
    const s = await start({}, documents(async () => answerWith(SVG)).fetch_document)
    const image = await get(s, logoIn((await openLogin(s, browser(s))).html) ?? '')
    expect(image.headers.get('content-type')).toBe('image/svg+xml')
    expect(image.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/)
  })

  it.each<[string, FetchDocument]>([
    ['a page instead of an image', async () => answerWith(new TextEncoder().encode('<html><svg>'))],
    ['a redirect', async () => answerWith(PNG, 302)],
    ['an error', async () => answerWith(PNG, 500)],
    ['an image over 64 KiB', async () => answerWith(new Uint8Array([...PNG, ...new Uint8Array(65_536)]))],
    ['a private address', async () => Promise.reject(new Error('forbidden_address'))],
  ])('%s: no image on the page, and the host is asked again after ten minutes', async (_, answer) => {
    const { urls, fetch_document } = documents(answer)
    const s = await start({}, fetch_document)
    const page = async () => (await openLogin(s, browser(s))).html
    expect([logoIn(await page()), logoIn(await page())]).toEqual([null, null])
    s.clock.now += 599
    await page()
    expect(urls).toHaveLength(1)
    s.clock.now += 1
    await page()
    expect(urls).toHaveLength(2)
  })

  it('a slow host delays a page by a second at most, is asked once, and its logo is on a later page', async () => {
    let answer = (_: ReturnType<typeof answerWith>) => {}
    const slow = new Promise<ReturnType<typeof answerWith>>((resolve) => {
      answer = resolve
    })
    const { urls, fetch_document } = documents(() => slow)
    const s = await start({}, fetch_document)
    const pages = await Promise.all([1, 2, 3, 4, 5].map(() => openLogin(s, browser(s))))
    expect(pages.map(({ html }) => logoIn(html))).toEqual([null, null, null, null, null])
    expect(urls).toHaveLength(1)
    answer(answerWith(PNG))
    expect(logoIn((await openLogin(s, browser(s))).html)).not.toBeNull()
    expect(urls).toHaveLength(1)
  })

  it('of a client that registered itself is never fetched, and its links are not shown', async () => {
    const { urls, fetch_document } = documents()
    const s = await start({ ...LINKS, origin: 'registered' }, fetch_document)
    const html = (await openLogin(s, browser(s))).html + (await consentHtml(s))
    expect([logoIn(html), /href="https/.exec(html), urls]).toEqual([null, null, []])
    const query = new URLSearchParams({ client_id: 'app', v: 'AAAAAAAAAAAA' })
    expect((await get(s, `/login/client-logo?${query}`)).status).toBe(404)
    expect(urls).toEqual([])
  })

  it('a stranger can cause no other fetch', async () => {
    const { urls, fetch_document } = documents()
    const s = await start({}, fetch_document)
    const src = logoIn((await openLogin(s, browser(s))).html) ?? ''
    urls.splice(0)
    s.clock.now += 100_000
    for (const path of [
      '/login/client-logo',
      '/login/client-logo?client_id=app',
      `${src}x`,
      src.replace('client_id=app', 'client_id=other'),
      src.replace('client_id=app', 'client_id=a%00'),
      `/login/client-logo?client_id=${encodeURIComponent('https://evil.example/logo.png')}&v=x`,
      `/login/client-logo?url=https://evil.example/logo.png`,
    ])
      expect([path, (await get(s, path)).status]).toEqual([path, 404])
    expect(urls).toEqual([])
    await s.storage('default').clients.revoke('app', s.clock.now)
    s.clock.now += 10
    expect((await get(s, src)).status).toBe(404)
    expect(urls).toEqual([])
  })

  it('without the port, no page has a logo', async () => {
    const s = await setup({ client: { logo_uri: LOGO_URI } })
    expect(logoIn((await openLogin(s, browser(s))).html)).toBeNull()
  })
})

describe('the store of logos', () => {
  const client = (n: number) => clientRecord({ client_id: `c${n}`, logo_uri: `https://app.example/${n}` })
  const realm = async () => {
    const location = await (await setup()).provider.locate(new Request('https://id.example/'))
    if (!location) throw new Error('no realm')
    return location.realm
  }

  it('keeps 200, those that were used last', async () => {
    const { urls, fetch_document } = documents()
    const logos = clientLogos(fetch_document, () => 0)
    const at = await realm()
    for (let n = 0; n < 200; n++) await logos.pathOf(at, client(n))
    await logos.pathOf(at, client(0))
    await logos.pathOf(at, client(200))
    expect(urls).toHaveLength(201)
    await logos.pathOf(at, client(0))
    expect(urls).toHaveLength(201)
    await logos.pathOf(at, client(1))
    expect(urls.at(-1)).toBe('https://app.example/1')
  })

  it('fetches eight at a time', async () => {
    const answers: (() => void)[] = []
    const { urls, fetch_document } = documents(
      () => new Promise((resolve) => answers.push(() => resolve(answerWith(PNG)))),
    )
    const logos = clientLogos(fetch_document, () => 0)
    const at = await realm()
    const paths = Array.from({ length: 9 }, (_, n) => logos.pathOf(at, client(n)))
    expect([urls.length, await paths[8]]).toEqual([8, null])
    for (const answer of answers) answer()
    expect((await Promise.all(paths)).filter((path) => path !== null)).toHaveLength(8)
    const ninth = logos.pathOf(at, client(8))
    answers.at(-1)?.()
    expect(await ninth).not.toBeNull()
  })
})

describe('the links of a client', () => {
  it.each(['sign-in', 'consent'])(
    'are on the %s page, each in a new tab without a referrer',
    async (page) => {
      const s = await setup({ client: { ...LINKS } })
      const html = page === 'consent' ? await consentHtml(s) : (await openLogin(s, browser(s))).html
      const links = [...html.matchAll(/<a href="([^"]*)" target="_blank" rel="noopener noreferrer">([^<]*)/g)]
      expect(links.map(([, url, label]) => [url, label])).toEqual([
        ['https://app.example/', 'Website'],
        ['https://app.example/privacy', 'Privacy policy'],
        ['https://app.example/terms?a=1&amp;b=2', 'Terms of service'],
      ])
    },
  )

  it('a hostile address has no effect', async () => {
    const s = await setup({
      client: { client_uri: 'javascript:alert(1)', policy_uri: 'https://a.example/"><script>' },
    })
    const { html } = await openLogin(s, browser(s))
    expect(html).not.toMatch(/javascript:|<script/)
  })
})
