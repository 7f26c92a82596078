/**
 * All pages of the sign-in with invented data, each state in each language and color scheme, for those who change the look or the texts.
 * It belongs to `pnpm dev`: no package contains it, and it answers nothing but GET.
 */

import type { LanguagesOptions } from '@ostiary/messages'
import { FACTOR_STYLE } from '../src/pages/factors/style.js'
import { type Html, html } from '../src/pages/html.js'
import { createLanguages } from '../src/pages/languages.js'
import { RECOVERY_STYLE } from '../src/pages/recovery/style.js'
import { type ResolvedTheme, resolveTheme, type Theme } from '../src/pages/theme.js'
import { ACCESS } from './access.js'
import { ACCOUNT } from './account.js'
import { ADDRESSES } from './addresses.js'
import { EMAIL_CODES } from './email-codes.js'
import { FACTORS } from './factors.js'
import { MAIL } from './mail.js'
import { RECOVERY } from './recovery.js'
import { REGAIN } from './regain.js'
import { type Sample, type States, sampleData } from './sample.js'
import { CONSENT, DEVICE, ERRORS, SIGN_IN, SIGN_OUT } from './sign-in.js'
import { SIGN_UP } from './sign-up.js'
import { TERMS_PAGES } from './terms.js'
import { UPSTREAMS } from './upstreams.js'

export const GROUPS: Readonly<Record<string, States>> = {
  'Sign-in': SIGN_IN,
  'Sign-in with a mailed code': EMAIL_CODES,
  'Sign-up': SIGN_UP,
  Terms: TERMS_PAGES,
  'Second step and factors': FACTORS,
  'Other providers': UPSTREAMS,
  Consent: CONSENT,
  'No access': ACCESS,
  Account: ACCOUNT,
  'Email addresses': ADDRESSES,
  Recovery: RECOVERY,
  'Recovery by mail': REGAIN,
  Mail: MAIL,
  Devices: DEVICE,
  'Sign-out': SIGN_OUT,
  Errors: ERRORS,
}
export const STATES: States = Object.assign({}, ...Object.values(GROUPS))
const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

export interface PreviewOptions {
  theme?: Theme
  languages?: LanguagesOptions
  /** Of the pages; only its host is shown. */
  issuer?: string
}

/** Answers the requests of the preview. @throws ThemeError when the theme is wrong. */
export async function createPreview(
  options: PreviewOptions,
): Promise<(request: Request) => Promise<Response>> {
  const { languages: texts = {}, issuer = 'https://id.example.com' } = options
  const theme = resolveTheme(options.theme, FACTOR_STYLE + RECOVERY_STYLE)
  const languages = createLanguages(texts)
  const data = await sampleData(issuer)
  const tags = [...new Set(['en', 'de', 'fr', ...(texts.catalogs ?? []).map(({ language }) => language)])]
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const [, language = '', scheme = '', name = ''] = pathname.split('/').map(decodeURIComponent)
    if (request.method !== 'GET') return new Response('The preview takes no forms.\n', { status: 405 })
    if (pathname === '/') return seeOther(`/${tags[0]}/light/`)
    if (!tags.includes(language) || !isScheme(scheme)) return notFound()
    if (name === 'style.css') return styleSheet(theme, scheme)
    if (name === '') return overview({ language, scheme, tags })
    const show = STATES[name]
    if (show === undefined) return notFound()
    const sample: Sample = {
      ...data,
      theme,
      language: languages.choose([language], request),
      reference: null,
    }
    return shown(await show(sample), search === IN_FRAME)
  }
}

const isScheme = (text: string): text is Scheme => SCHEMES.some((scheme) => scheme === text)
const notFound = () => new Response('The preview has no such page.\n', { status: 404 })
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })
const asHtml = (text: string) =>
  new Response(text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // A page of the preview is shown in another one, and its forms lead nowhere.
      'content-security-policy':
        "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src * data:; frame-src 'self'; form-action 'none'; frame-ancestors 'self'",
      'cache-control': 'no-store',
    },
  })

/** The query of a page in the list: there no field takes the focus, which would move the list. */
const IN_FRAME = '?in=list'

/** The page without the script and with what the script shows, and with the style sheet of the color scheme. */
async function shown(page: Response, in_frame: boolean): Promise<Response> {
  const whole = await page.text()
  const text = in_frame ? whole.replaceAll(' autofocus', '') : whole
  return asHtml(
    text
      .replace(/href="[^"]*style\.css[^"]*"/, 'href="style.css"')
      .replace(/\n<script[^>]*><\/script>/, '')
      .replaceAll(' hidden data-passkey-shown', ' data-passkey-shown'),
  )
}

/** The rules of the dark scheme hold in it alone, whatever the browser prefers. */
function styleSheet({ css }: ResolvedTheme, scheme: Scheme): Response {
  const text = css
    .replaceAll(/\(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? 'all' : 'not all')
    .replace('color-scheme: light dark', `color-scheme: ${scheme}`)
  return new Response(text, { headers: { 'content-type': 'text/css; charset=utf-8' } })
}

interface Choice {
  language: string
  scheme: Scheme
  tags: readonly string[]
}

const OVERVIEW_STYLE = `
body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; color: #171a21; background: #fff; }
nav a { margin-right: 1rem; } a { color: #3247c5; } a[aria-current] { font-weight: 700; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.5rem; padding: 0; list-style: none; }
h3 { margin: 0 0 .5rem; font-size: 1rem; } iframe { width: 100%; height: 32rem; border: 1px solid #565d6b; }
`

/** The list of all states, each in a frame. */
function overview({ language, scheme, tags }: Choice): Response {
  const link = (path: string, text: string, current: boolean): Html =>
    html`<a href="${path}"${current && html` aria-current="page"`}>${text}</a> `
  const state = (name: string): Html => {
    const path = `/${language}/${scheme}/${encodeURIComponent(name)}`
    return html`<li><h3><a href="${path}">${name}</a></h3><iframe src="${path + IN_FRAME}" title="${name}" loading="lazy"></iframe></li>
`
  }
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview of the pages</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${OVERVIEW_STYLE}</style>
</head>
<body>
<h1>Preview of the pages</h1>
<p>Each page and state, with invented data. The forms lead nowhere.</p>
<nav aria-label="Languages">${tags.map((tag) => link(`/${tag}/${scheme}/`, tag, tag === language))}</nav>
<nav aria-label="Color schemes">${SCHEMES.map((one) => link(`/${language}/${one}/`, one, one === scheme))}</nav>
${Object.entries(GROUPS).map(([group, states]) => html`<h2>${group}</h2>\n<ul>\n${Object.keys(states).map(state)}</ul>\n`)}
</body>
</html>
`
  return asHtml(page.toString())
}
