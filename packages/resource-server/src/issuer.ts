/** Requests to the issuer, limited in time and size: RFC 8414, OpenID Connect Discovery. */

import { cachedValue, type Freshness } from './cached-value.js'
import { isLoopback } from './loopback.js'
import { IssuerUnavailableError } from './unavailable.js'

/** Larger responses are refused. */
const MAX_BODY_BYTES = 256 * 1024

export interface Issuer {
  /** The URL of an endpoint, from the discovery document. @throws IssuerUnavailableError */
  endpoint(name: 'jwks_uri' | 'introspection_endpoint'): Promise<string>
  /** The JSON object of a 200 response. @throws IssuerUnavailableError */
  fetchJson(url: string, init?: RequestInit): Promise<Record<string, unknown>>
  /** The error of a discovery document that names another issuer. Null when it names this one, and while there is none. */
  mismatch(): Promise<IssuerUnavailableError | null>
}

/** The discovery document names another issuer than the option. Every token is refused then, and no client can use the API. */
class WrongIssuerError extends IssuerUnavailableError {}

export interface IssuerOptions {
  issuer: string
  fetch: typeof fetch
  /** The time limit of a request, from its start to the end of the response body. */
  timeout_seconds: number
  freshness: Freshness
}

export function issuerClient(options: IssuerOptions): Issuer {
  const { issuer, freshness } = options
  const fetchJson: Issuer['fetchJson'] = async (url, init) => {
    const response = await fetchBounded(options, url, init)
    if (response.status !== 200)
      throw new IssuerUnavailableError(`${url} answered ${response.status}`, { status: response.status })
    return parse(url, response.text)
  }

  async function discover(): Promise<Record<string, unknown>> {
    for (const url of discoveryUrls(issuer)) {
      const { status, text } = await fetchBounded(options, url)
      // An issuer may publish only one of the two documents.
      if (status === 404) continue
      if (status !== 200) throw new IssuerUnavailableError(`${url} answered ${status}`)
      const document = parse(url, text)
      // RFC 8414 §3.3: otherwise one issuer could impersonate another.
      if (document.issuer !== issuer) {
        const found = String(document.issuer)
        const is_slash = found === `${issuer}/` || issuer === `${found}/`
        const difference = is_slash ? ' (the option issuer differs in the slash at its end)' : ''
        throw new WrongIssuerError(`${url} is the document of another issuer: ${found}${difference}`)
      }
      return document
    }
    throw new IssuerUnavailableError(`${issuer} has no discovery document`)
  }
  const metadata = cachedValue(discover, freshness)

  return {
    fetchJson,
    async mismatch() {
      try {
        await metadata.get()
      } catch (error) {
        if (error instanceof WrongIssuerError) return error
      }
      return null
    },
    async endpoint(name) {
      const url = (await metadata.get())[name]
      if (typeof url !== 'string') throw new IssuerUnavailableError(`the discovery document has no ${name}`)
      if (!isSafe(url, issuer)) throw new IssuerUnavailableError(`${name} is not https: ${url}`)
      return url
    },
  }
}

/** OpenID Connect Discovery §4, RFC 8414 §3.1. */
function discoveryUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}

function isSafe(url: string, issuer: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol } = new URL(url)
  const isLoopbackHttp = protocol === 'http:' && issuer.startsWith('http:') && isLoopback(new URL(url))
  return protocol === 'https:' || isLoopbackHttp
}

function parse(url: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new IssuerUnavailableError(`${url} did not answer with a JSON object`)
}

/** Does not follow redirects, because their target has not been checked. */
async function fetchBounded(
  { fetch, timeout_seconds }: IssuerOptions,
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string }> {
  const timeout = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new IssuerUnavailableError(`${url} did not answer within ${timeout_seconds} s`))
      timeout.abort()
    }, timeout_seconds * 1000)
  })
  const fetchText = async () => {
    const headers = { accept: 'application/json', ...init.headers }
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal: timeout.signal })
    return { status: response.status, text: await readText(url, response) }
  }
  try {
    return await Promise.race([fetchText(), timedOut])
  } catch (cause) {
    if (cause instanceof IssuerUnavailableError) throw cause
    throw new IssuerUnavailableError(`${url} cannot be reached`, cause)
  } finally {
    clearTimeout(timer)
  }
}

async function readText(url: string, response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const chunk = await reader?.read()
    if (!chunk || chunk.done) return text + decoder.decode()
    size += chunk.value.byteLength
    if (size > MAX_BODY_BYTES) {
      // Not awaited: it may never settle.
      reader?.cancel().catch(() => {})
      throw new IssuerUnavailableError(`${url} answered with more than ${MAX_BODY_BYTES} bytes`)
    }
    text += decoder.decode(chunk.value, { stream: true })
  }
}
