/** The preview of `pnpm dev`: it has every page and state, and shows nothing but them. */

import type { Message } from '@ostiary/messages'
import { de, en } from '@ostiary/messages'
import { describe, expect, it } from 'vitest'
import { HINTS } from '../../upstream/src/hints.js'
import { textsOf } from '../../upstream/src/texts.js'
import { createPreview, GROUPS, STATES } from '../preview/preview.js'
import { REQUEST, sampleData } from '../preview/sample.js'
import { UPSTREAMS } from '../preview/upstreams.js'
import { createLanguage } from '../src/pages/language.js'
import { createLanguages } from '../src/pages/languages.js'
import { resolveTheme } from '../src/pages/theme.js'

const ISSUER = 'https://id.example.com'
const get = async (path: string, options = {}) =>
  (await createPreview(options))(new Request(new URL(path, 'http://localhost:3001')))
const pathOf = (state: string, language = 'en', scheme = 'light') =>
  `/${language}/${scheme}/${encodeURIComponent(state)}`

/** The messages of no page: those of a file, of the script, and the names that are stored with a factor. */
const NOT_ON_A_PAGE = ['recovery.file', 'passkey.name', 'totp.name']

/** The key of a message in the place of its text, with the parameters of the text. */
function keyed(key: string, message: Message): Message {
  const text = typeof message === 'string' ? message : message.other
  return `[[${key}]] ${(text.match(/\{\w+\}/g) ?? []).join(' ')}`
}

it('has a state for each text of the pages', async () => {
  const messages = Object.fromEntries(Object.entries(en).map(([key, message]) => [key, keyed(key, message)]))
  const language = createLanguage({ tag: 'en', messages: messages as typeof en })
  const sample = { ...(await sampleData(ISSUER)), theme: resolveTheme(), language, reference: null }
  const seen = new Set<string>()
  for (const show of Object.values(STATES)) {
    const text = await (await show(sample)).text()
    for (const [, key = ''] of text.matchAll(/\[\[([\w.]+)\]\]/g)) seen.add(key)
  }
  expect(
    Object.keys(en)
      .filter((key) => !seen.has(key))
      .sort(),
  ).toEqual([...NOT_ON_A_PAGE].sort())
})

it('has a state for each text of other providers, in each language', async () => {
  const data = await sampleData(ISSUER)
  for (const tag of ['en', 'de', 'fr'] as const) {
    const sample = {
      ...data,
      theme: resolveTheme(),
      language: createLanguages({}).choose([tag], REQUEST),
      reference: null,
    }
    const pages = await Promise.all(Object.values(UPSTREAMS).map(async (show) => (await show(sample)).text()))
    const { sign_in, add, refused, ...words } = textsOf(tag)
    const reasons = Object.keys(HINTS) as (keyof typeof HINTS)[]
    const all = reasons.map((reason) => refused(reason, 'Google'))
    const texts = [
      sign_in('Google'),
      add('Google'),
      ...Object.values(words),
      ...all.flatMap(({ title, sentences }) => [title, ...sentences]),
    ]
    const shown = pages.join('\n').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    expect(texts.filter((text) => !shown.includes(text))).toEqual([])
    expect(texts.length).toBeGreaterThan(30)
  }
})

it('names each state once, in one of its groups', () => {
  const names = Object.values(GROUPS).flatMap(Object.keys)
  expect(names.length).toBeGreaterThan(100)
  expect(new Set(names).size).toBe(names.length)
})

describe('the server', () => {
  it('lists all states, in the language and the scheme of the address', async () => {
    expect((await get('/')).headers.get('location')).toBe('/en/light/')
    const text = await (await get('/de/dark/')).text()
    for (const name of Object.keys(STATES))
      expect(text).toContain(pathOf(name, 'de', 'dark').replaceAll("'", '&#39;'))
    const [, frame = ''] = /<iframe src="(\/de\/dark\/Sign[^"]*)"/.exec(text) ?? []
    expect(await (await get(frame)).text()).not.toContain('autofocus')
    expect(await (await get(pathOf('Sign in'))).text()).toContain(' autofocus')
    expect(text).toContain('<a href="/fr/dark/">fr</a>')
    expect(text).toContain('<a href="/de/dark/" aria-current="page">de</a>')
  })

  it.each([
    ['en', en['sign_in.title']],
    ['de', de['sign_in.title']],
  ])('shows a page in %s, without the script', async (language, title) => {
    const response = await get(pathOf('Sign in, with passkeys', language))
    const text = await response.text()
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).not.toMatch(/<script| hidden data-passkey-shown/)
    expect(response.headers.get('content-security-policy')).toContain("form-action 'none'")
    expect(response.headers.get('x-frame-options')).toBeNull()
  })

  it('shows the theme and the languages of the configuration', async () => {
    const theme = { name: 'Acme', links: [{ text: 'Terms', href: '/terms' }] }
    const languages = { catalogs: [{ language: 'pt-BR', messages: { 'sign_in.title': 'Entrar' } }] }
    const text = await (await get(pathOf('Sign in', 'pt-BR'), { theme, languages })).text()
    expect(text).toContain('<title>Entrar · Acme</title>')
    expect(text).toContain('<a href="/terms">Terms</a>')
  })

  it('has the dark colors in the dark scheme alone, whatever the browser prefers', async () => {
    const light = await (await get('/en/light/style.css')).text()
    const dark = await (await get('/en/dark/style.css')).text()
    expect(light).toContain('@media not all{:root{')
    expect(dark).toContain('@media all{:root{')
    for (const css of [light, dark]) expect(css).not.toContain('prefers-color-scheme')
  })

  it.each(['/en', '/xx/light/', '/en/blue/', '/en/light/Nothing', '/login'])(
    'has no page at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it('takes no form', async () => {
    const preview = await createPreview({})
    const request = new Request('http://localhost:3001/login', { method: 'POST', body: 'a=b' })
    expect((await preview(request)).status).toBe(405)
  })
})
