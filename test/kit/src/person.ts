/** A person with a browser that has no JavaScript: follows redirects, keeps cookies, fills in forms. */

export interface Page {
  url: URL
  status: number
  html: string
}

export interface Person {
  /** By name, as the browser has them now. */
  cookies: ReadonlyMap<string, string>
  /** Goes there and follows redirects, as far as they stay with the provider. */
  open(url: string | URL): Promise<Page>
  /** Posts the page's form: its hidden fields, and these. */
  submit(page: Page, fields?: Record<string, string>): Promise<Page>
}

/**
 * @param provider The origin whose redirects are followed; another one is where the walk ends.
 * @param headers Sent with each request.
 */
export function person(provider: string, headers: Record<string, string> = {}): Person {
  const cookies = new Map<string, string>()

  async function send(url: URL, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...headers, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return { url, status: response.status, html: await response.text() }
    const next = new URL(location, url)
    return next.origin === provider ? send(next) : { url: next, status: response.status, html: '' }
  }

  return {
    cookies,
    open: (url) => send(new URL(url)),
    submit({ url, html }, fields = {}) {
      const [, form = '', inner = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(html) ?? []
      const hidden = [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
      const body = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]))
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      return send(new URL(/action="([^"]*)"/.exec(form)?.[1] ?? '', url), { method: 'POST', body })
    },
  }
}
