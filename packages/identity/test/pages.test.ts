import type { ConsentPrompt, LogoutPrompt } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { browser, openLogin, type SetupOptions, setup } from './_setup.js'

const HOSTILE = `</title><script>alert('1')</script>"><img src=x onerror=alert(1)>\u202E`

interface Text {
  /** The text in the names of the client, the user and the realm. */
  text: string
  redirect_uri: string
}

/** Every page, with this text in place of all external data. */
async function pages(
  { text, redirect_uri }: Text,
  options: SetupOptions = {},
): Promise<Record<string, Response>> {
  const s = await setup({ ...options, client: { client_name: text, redirect_uris: [redirect_uri] } })
  const b = browser(s)
  const { page, url, fields, html } = await openLogin(s, b, { redirect_uri })
  const failed = await b.post(url, { ...fields, username: text, password: 'wrong' })
  const request = new Request('https://id.example/')
  const realm = (await s.provider.locate(request))?.realm
  const client = await s.storage('default').clients.find('app')
  if (!realm || !client) throw new Error('no realm')
  const user = { sub: text, claims: { name: text, email: text } }
  const consent: ConsentPrompt = {
    realm,
    client: { ...client, origin: 'registered' },
    user,
    redirect_uri,
    request,
    scopes: [
      { value: text, description: null, severity: 'normal' },
      { value: 'x', description: text, severity: 'high' },
    ],
    resources: [text],
    client_host: text,
    client_origin: 'metadata_document',
    loopback_only: true,
    redirect_host: text,
    offline_access: true,
    auth_token: text,
    action: 'https://id.example/oauth/authorize/consent',
    return_to: text,
    ui_locales: [],
  }
  const logout: LogoutPrompt = {
    realm,
    client,
    user,
    redirect_uri,
    request,
    confirmation_token: text,
    action: 'https://id.example/oauth/logout',
    ui_locales: [],
  }
  const { interactions } = s.identity
  const error = { realm, request, code: text, description: text, kind: null, reference: null, ui_locales: [] }
  return {
    'sign in': new Response(html, page),
    'sign in again': failed,
    consent: await interactions.consent(consent),
    logout: await interactions.logout(logout),
    'signed out': await interactions.signedOut({
      realm,
      client,
      was_signed_in: true,
      redirect_refused: true,
      ui_locales: [],
      request,
    }),
    error: await interactions.error({ ...error, status: 400 }),
    failure: await interactions.error({ ...error, status: 500 }),
  }
}

const PLAIN = { text: 'Reports', redirect_uri: 'https://app.example/cb' }

/** Of a page without a form. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const directive = (response: Response | undefined, name: string): string =>
  (response?.headers.get('content-security-policy') ?? '')
    .split('; ')
    .find((part) => part.startsWith(name)) ?? ''

describe('every page', () => {
  it('has the security headers', async () => {
    for (const [name, page] of Object.entries(await pages(PLAIN))) {
      const headers = Object.fromEntries(page.headers.entries())
      expect(headers, name).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      expect(headers['content-security-policy']?.replace(/ form-action '(none|self)';/, ''), name).toBe(
        POLICY.replace(" form-action 'none';", ''),
      )
    }
  })

  it('is one document in English with one heading, and no script or inline style', async () => {
    for (const [name, page] of Object.entries(await pages(PLAIN))) {
      const html = await page.text()
      expect(html, name).toMatch(/^<!doctype html>\n<html lang="en">/)
      expect(html.match(/<h1>/g), name).toHaveLength(1)
      expect(html, name).toMatch(/<title>.+ · id\.example<\/title>/)
      expect(html, name).toContain('name="viewport"')
      expect(html, name).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i)
    }
  })

  it('has a label for each field, and a name for each button', async () => {
    for (const page of Object.values(await pages(PLAIN))) {
      const html = await page.text()
      for (const [, id] of html.matchAll(/<input id="(\w+)"/g)) expect(html).toContain(`<label for="${id}">`)
      for (const [, name] of html.matchAll(/<button[^>]*>([^<]*)</g)) expect(name).not.toBe('')
    }
  })

  it('escapes names of clients and users, and values of requests', async () => {
    for (const [name, page] of Object.entries(await pages({ ...PLAIN, text: HOSTILE }))) {
      const html = await page.text()
      expect(html, name).not.toMatch(/<script|<img|alert\('/i)
      expect(html.match(/<\/title>/g), name).toHaveLength(1)
      if (name !== 'signed out') expect(html, name).toContain('&lt;script&gt;')
    }
  })

  it('shows the name and logo of the theme, escaped, and allows the logo to load', async () => {
    const theme = { name: HOSTILE, logo_url: 'https://cdn.example/logo.svg' }
    for (const page of Object.values(await pages(PLAIN, { identity: { theme } }))) {
      const html = await page.text()
      expect(html).toContain('<img src="https://cdn.example/logo.svg" alt="&lt;/title&gt;')
      expect(html).not.toContain('<script')
      expect(html).toContain('<link rel="icon" href="https://cdn.example/logo.svg">')
      expect(directive(page, 'img-src')).toBe("img-src 'self' https://cdn.example")
    }
  })

  it('ends with the links of the theme, escaped, and has none without them', async () => {
    const links = [
      { text: HOSTILE.slice(0, 60), href: 'https://example.com/privacy?a="b"&c' },
      { text: 'Terms', href: '/terms' },
    ]
    for (const [name, page] of Object.entries(await pages(PLAIN, { identity: { theme: { links } } }))) {
      const [, footer = ''] =
        /<footer class="small links">(.*)<\/footer>\n<\/main>/.exec(await page.text()) ?? []
      expect(footer.match(/<a /g), name).toHaveLength(2)
      expect(footer, name).toContain('<a href="https://example.com/privacy?a=%22b%22&amp;c">&lt;/title&gt;')
      expect(footer, name).toContain('<a href="/terms">Terms</a>')
      expect(footer, name).not.toContain('<script')
    }
    for (const page of Object.values(await pages(PLAIN))) expect(await page.text()).not.toContain('<footer')
  })
})

describe('form-action', () => {
  it.each([
    'https://app.example/cb',
    'http://localhost:8080/cb',
    'http://[::1]:8080/cb',
    'com.example.app:/cb',
    'http://a;sandbox/cb',
  ])(
    'is absent where the form leads to %s: a client may redirect on to any address',
    async (redirect_uri) => {
      const { consent, logout, error, 'sign in': signIn } = await pages({ text: 'Reports', redirect_uri })
      for (const page of [signIn, consent, logout]) {
        const policy = page?.headers.get('content-security-policy')
        expect(policy).toBe(POLICY.replace(" form-action 'none';", ''))
      }
      expect(error?.headers.get('content-security-policy')).toBe(POLICY)
    },
  )

  it("is 'self' where the form leads to no client: sign-in for the account page, sign-out without a redirect", async () => {
    const s = await setup()
    const signIn = await browser(s).get('https://id.example/login?return_to=%2Faccount')
    expect(directive(signIn, 'form-action')).toBe("form-action 'self'")
    const realm = (await s.provider.locate(new Request('https://id.example/')))?.realm
    if (!realm) throw new Error('no realm')
    const logout = await s.identity.interactions.logout({
      realm,
      client: null,
      ui_locales: [],
      user: null,
      confirmation_token: 'token',
      action: '/oauth/logout',
      redirect_uri: null,
      request: new Request('https://id.example/'),
    })
    expect(directive(logout, 'form-action')).toBe("form-action 'self'")
  })
})

describe('the consent page', () => {
  const consentPage = async (change: Partial<ConsentPrompt>): Promise<string> => {
    const s = await setup()
    const request = new Request('https://id.example/')
    const realm = (await s.provider.locate(request))?.realm
    const client = await s.storage('default').clients.find('app')
    if (!realm || !client) throw new Error('no realm')
    const page = await s.identity.interactions.consent({
      realm,
      client,
      request,
      redirect_uri: 'https://app.example/cb',
      client_host: null,
      client_origin: 'operator',
      loopback_only: false,
      redirect_host: 'app.example',
      user: { sub: 'u1', claims: { name: 'Ada Lovelace', preferred_username: 'ada' } },
      scopes: [{ value: 'notes:write', description: null, severity: 'normal' }],
      resources: ['https://api.example/notes'],
      offline_access: false,
      auth_token: 'token',
      action: realm.urls.consent,
      return_to: 'a b&c',
      ui_locales: [],
      ...change,
    })
    return page.text()
  }

  it('names client, account, scope, resource and the host that gets the answer', async () => {
    const html = await consentPage({})
    expect(html).toContain('<bdi>Quarterly Reports</bdi>')
    expect(html).toContain('Signed in as <bdi>Ada Lovelace</bdi>')
    expect(html).toContain('<p>ada</p>')
    expect(html).toContain('<code>notes:write</code>')
    expect(html).toContain('https://api.example/notes')
    expect(html).toContain('<bdi>app.example</bdi>')
    expect(html).toContain('href="/login?return_to=a%20b%26c"')
    expect(html).not.toContain('registered itself')
    expect(html).not.toContain('after you sign out')
  })

  it('says that the application keeps its access, with any other scopes', async () => {
    const kept = '<li>Keep this access after you sign out</li>'
    expect(await consentPage({ offline_access: true })).toContain(kept)
    expect(await consentPage({ offline_access: true, scopes: [], resources: [] })).toContain(kept)
    const listed = { value: 'offline_access', description: 'Stay', severity: 'normal' as const }
    const page = await consentPage({ offline_access: true, scopes: [listed] })
    expect([page.includes(kept), page.includes('Stay')]).toEqual([true, false])
  })

  const numbered = (count: number, severity: 'normal' | 'high' = 'normal') =>
    Array.from({ length: count }, (_, n) => ({
      value: `s${n}`,
      description: `Do ${severity} ${n}`,
      severity,
    }))
  /** The headings, lines and summaries of the page, in their order; `<details>` opens a group that is not shown at first. */
  const outline = (page: string): string[] =>
    [...page.matchAll(/<(h2|li|summary|details|\/details)\b[^>]*>([^<]*)/g)].map(
      ([, tag = '', content = '']) => (content.trim() === '' ? tag : content),
    )

  it('sensitive scopes come first, under a heading that says so, and none of them is hidden', async () => {
    const scopes = [...numbered(2), ...numbered(9, 'high')]
    const page = await consentPage({ scopes, offline_access: true })
    expect(outline(page)).toEqual([
      'It asks for sensitive access',
      ...numbered(9, 'high').map(({ description }) => description),
      'It will also be able to',
      'Do normal 0',
      'Do normal 1',
      'Keep this access after you sign out',
    ])
    expect(page).toContain('<ul class="scopes high" aria-labelledby="sensitive">')
  })

  it('without other scopes, the sensitive ones are the only group', async () => {
    const page = await consentPage({ scopes: numbered(1, 'high') })
    expect(outline(page)).toEqual(['It asks for sensitive access', 'Do high 0'])
  })

  it.each([
    [5, 0],
    [6, 0],
    [7, 2],
    [16, 11],
  ])('of %i scopes, the last %i are behind a summary with their number', async (count, more) => {
    const page = await consentPage({ scopes: numbered(count), offline_access: true })
    const lines = numbered(count).map(({ description }) => description)
    const shown = lines.slice(0, count - more)
    const hidden = more === 0 ? [] : ['details', `Show ${more} more`, ...lines.slice(-more), '/details']
    expect(outline(page)).toEqual([
      'It will be able to',
      ...shown,
      'Keep this access after you sign out',
      ...hidden,
    ])
  })

  it('a client cannot hide a scope of the operator behind those that every realm has', async () => {
    const harmless = ['openid', 'profile', 'email', 'address', 'phone', 'openid'].map((value) => ({
      value,
      description: value,
      severity: 'normal' as const,
    }))
    const page = await consentPage({ scopes: [...harmless, ...numbered(1)] })
    expect(outline(page).slice(0, 2)).toEqual(['It will be able to', 'Do normal 0'])
  })

  it('has an entry when every scope is hidden', async () => {
    expect(await consentPage({ scopes: [], resources: [] })).toContain('Know that you are signed in')
  })

  it.each([
    [{}, 'u1'],
    [{ name: ' ', email: 'ada@example.com' }, 'ada@example.com'],
    [{ name: ['x'], email: 5, preferred_username: 'ada' }, 'ada'],
  ])('finds a name among the claims %j', async (claims, name) => {
    expect(await consentPage({ user: { sub: 'u1', claims } })).toContain(`Signed in as <bdi>${name}</bdi>`)
  })

  it('shows the id of a client without a name', async () => {
    const s = await setup({ client: { client_name: ' ' } })
    expect((await openLogin(s, browser(s))).html).toContain('<bdi>app</bdi>')
  })
})

describe('the style sheet', () => {
  it('is immutable at the address with the version, and only there', async () => {
    const s = await setup({ identity: { theme: { variables: { '--ostiary-accent': 'teal' } } } })
    const { html } = await openLogin(s, browser(s))
    const href = /<link rel="stylesheet" href="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(href).toMatch(/^\/login\/style\.css\?v=[\w-]{12}$/)
    const sheet = await browser(s).get(s.base('default') + href)
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(sheet.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await sheet.text()).toContain('--ostiary-accent:teal;')
    const other = await browser(s).get('https://id.example/login/style.css?v=old')
    expect(other.headers.get('cache-control')).toBe('no-cache')
  })
})
