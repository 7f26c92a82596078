/**
 * Error pages for browsers where no endpoint answers: the host has refused the request, or its realm is unknown. Only where a
 * person navigates: at every other address all requests get JSON. In a realm it is a page of the built-in sign-in, otherwise
 * a page of the host.
 */

import { createHash } from 'node:crypto'
import {
  type Interactions,
  isNavigation,
  type Provider,
  pageForBrowser,
  referenceOf,
  requestTarget,
} from '@ostiary/core'
import { IDENTITY_PAGES } from './route-labels.js'

export interface BrowserPages {
  /**
   * For an error in JSON at an address where persons navigate, to a browser that navigates: a page with the same status and headers.
   * Otherwise the answer itself.
   */
  errorPage(request: Request, answer: Response, request_id: string): Promise<Response>
  /** The landing page at the root of the server, where realms have paths of their own; null for every other request. */
  landing(request: Request, path: string): Response | null
}

export interface BrowserPagesOptions {
  provider: Provider
  interactions: Interactions
  /** The product name on the pages. */
  name: string
}

export function browserPages({ provider, interactions, name }: BrowserPagesOptions): BrowserPages {
  const pages = provider.routes.filter(({ page }) => page).map(({ path }) => path)
  const page_paths = new Set([...pages, ...IDENTITY_PAGES])
  return {
    async errorPage(request, answer, request_id) {
      if (answer.status < 400 || !isNavigation(request)) return answer
      if (answer.headers.get('content-type') !== 'application/json') return answer
      const location = await provider.locate(request).catch(() => null)
      if (!page_paths.has(location?.path ?? pathWithoutRealm(request))) return answer
      if (location)
        return pageForBrowser(answer, { request, realm: location.realm, interactions, request_id })
      const { status } = answer
      const headers = new Headers(answer.headers)
      for (const [header, value] of Object.entries(PAGE_HEADERS)) headers.set(header, value)
      const reference = referenceOf(request_id)
      return new Response(errorDocument(name, status, reference), { status, headers })
    },
    landing(request, path) {
      if (path !== '/' || !['GET', 'HEAD'].includes(request.method) || !isNavigation(request)) return null
      const body = request.method === 'HEAD' ? null : LANDING(name)
      return new Response(body, { status: 200, headers: PAGE_HEADERS })
    },
  }
}

/** The path of a request to a realm that does not exist, as below one that does. */
const pathWithoutRealm = ({ url }: Request): string =>
  requestTarget(url).pathname.replace(/^\/realms\/[^/]+/, '')

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:3rem 1.25rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:auto}h1{font-size:1.5rem;line-height:1.25}`

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

interface PlainPage {
  name: string
  title: string
  text: string
  /** Of the request, on an error page. */
  reference?: string
}

const page = ({ name, title, text, reference }: PlainPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · ${escaped(name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${STYLE}</style>
</head>
<body>
<main>
<p>${escaped(name)}</p>
<h1>${title}</h1>
<p>${text}</p>
${reference === undefined ? '' : `<p>Reference: ${reference}</p>\n`}</main>
</body>
</html>
`

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const LANDING = (name: string): string =>
  page({
    name,
    title: 'This is where you sign in',
    text: 'Applications send you here to sign in. Open the application that you want to use, and sign in there.',
  })

function errorDocument(name: string, status: number, reference: string): string {
  if (status === 404)
    return page({
      name,
      title: 'There is nothing at this address',
      text: 'Check the address, or go back to the application and start again.',
      reference,
    })
  return status >= 500
    ? page({
        name,
        title: 'Something went wrong',
        text: 'Please wait a moment, then load this page again.',
        reference,
      })
    : page({
        name,
        title: 'Please start again',
        text: 'Go back to the application and start again.',
        reference,
      })
}
