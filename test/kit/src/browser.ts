/** A browser without JavaScript: it keeps cookies and posts forms. What it sends goes to a function, not to a socket. */

export interface CookieJar {
  cookies: Map<string, string>
  /** The value of a `Cookie` header. */
  header(): string
  /** Keeps the cookies of an answer, and drops those that it deletes. */
  keep(response: Pick<Response, 'headers'>): void
}

export function cookieJar(): CookieJar {
  const cookies = new Map<string, string>()
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep(response) {
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}

export interface Browser {
  jar: CookieJar
  cookies: Map<string, string>
  /** Sends a request with the cookies, keeps those of the answer, follows nothing. */
  send(request: Request): Promise<Response>
  get(url: string): Promise<Response>
  post(url: string, form: FormFields): Promise<Response>
}

export type FormFields = Record<string, string> | [string, string][] | string

export function browser(fetch: (request: Request) => Promise<Response>): Browser {
  const jar = cookieJar()
  const send = async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers)
    if (jar.cookies.size > 0) headers.set('cookie', jar.header())
    const response = await fetch(new Request(request, { headers }))
    jar.keep(response)
    return response
  }
  return {
    jar,
    cookies: jar.cookies,
    send,
    get: (url) => send(new Request(url)),
    post: (url, form) => send(formRequest(url, form)),
  }
}

export const formRequest = (
  url: string,
  form: FormFields,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Request =>
  new Request(url, {
    method,
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

export interface HtmlForm {
  /** As the page has it; empty for the page's own address. */
  action: string
  /** The hidden fields. */
  fields: URLSearchParams
}

/** The page's form; `nth` counts from 0. */
export function formOf(html: string, nth = 0): HtmlForm {
  const [, attributes = '', inner = ''] = [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)][nth] ?? []
  const hidden = inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return {
    action: /action="([^"]*)"/.exec(attributes)?.[1] ?? '',
    fields: new URLSearchParams([...hidden].map(([, name = '', value = '']) => [name, value])),
  }
}

/** What the form sends when these are filled in. */
export function filled({ fields }: HtmlForm, typed: Record<string, string>): URLSearchParams {
  const body = new URLSearchParams(fields)
  for (const [name, value] of Object.entries(typed)) body.set(name, value)
  return body
}

/** The value of a hidden field, wherever on the page it is; empty where there is none. */
export const hiddenField = (html: string, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
