/** A user whose browser runs no JavaScript: it follows redirects, keeps cookies and fills in forms, over a real socket. */

import { cookieJar, filled, formOf } from './browser.ts'

export interface Page {
  url: URL
  status: number
  html: string
}

export interface Person {
  /** The cookies that the browser has now, by name. */
  cookies: ReadonlyMap<string, string>
  /** Opens the address and follows redirects within the provider. */
  open(url: string | URL): Promise<Page>
  /** Posts the page's form: its hidden fields, and the given ones. */
  submit(page: Page, fields?: Record<string, string>): Promise<Page>
}

/**
 * @param provider The origin whose redirects are followed; a redirect to another origin is returned.
 * @param headers Sent with each request.
 */
export function person(provider: string, headers: Record<string, string> = {}): Person {
  const jar = cookieJar()

  async function send(url: URL, init: RequestInit = {}): Promise<Page> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...headers, cookie: jar.header() },
    })
    jar.keep(response)
    const location = response.headers.get('location')
    if (location === null) return { url, status: response.status, html: await response.text() }
    const next = new URL(location, url)
    return next.origin === provider ? send(next) : { url: next, status: response.status, html: '' }
  }

  return {
    cookies: jar.cookies,
    open: (url) => send(new URL(url)),
    submit({ url, html }, fields = {}) {
      const form = formOf(html)
      return send(new URL(form.action, url), { method: 'POST', body: filled(form, fields) })
    },
  }
}
