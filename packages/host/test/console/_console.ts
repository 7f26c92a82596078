/** A server with the console, administrators with passkeys, and their browsers. */

import { openRoleStore, type Role } from '@ostiary/admin'
import { createUser } from '@ostiary/identity'
import { givePasskey, type Passkey, withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import type { Page, Person } from '@ostiary/test-kit/person'
import { onTestFinished } from 'vitest'
import { configuredLog, createApp, type HostStorage, openStorage } from '../../src/index.ts'
import { configure, FILE, inMemory } from '../support.ts'

export const ORIGIN = 'http://localhost:4000'

export const CONFIG = {
  ...FILE,
  users: [],
  oidc: { acr: 'require', dpop: 'on', keys: { algorithms: ['ES256'] } },
  admin: { enabled: true, console: true },
  audit: { enabled: true },
}

/** One answer, as the browser gets it. */
export interface Answer extends Page {
  headers: Headers
}

/** A browser without JavaScript. */
export interface ConsoleBrowser extends Person {
  cookies: Map<string, string>
  /** One request, without following anything. */
  send(path: string, init?: RequestInit): Promise<Answer>
  open(url: string | URL): Promise<Answer>
  /** Posts the form of the page whose action ends so, or the one of the page itself. */
  post(page: Page, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
}

interface ServerOptions {
  config?: object
  storage?: HostStorage
  /** Of a database. */
  env?: Record<string, string>
}

export async function consoleServer({ config = CONFIG, env, storage: given }: ServerOptions = {}) {
  const lines: string[] = []
  const clock = { ahead: 0 }
  const now = () => Math.floor(Date.now() / 1000) + clock.ahead
  const read = await configure(config, env)
  const log = configuredLog(read, (line) => void lines.push(line))
  const storage = given ?? (env === undefined ? inMemory() : await openStorage(read.storage, log))
  const app = await createApp(read, { log, storage, now })
  onTestFinished(() => app.stop())
  await app.start()
  const users = storage.users('default')
  const factors = storage.factors('default')

  function browser(headers: Record<string, string> = {}): ConsoleBrowser {
    const jar = cookieJar()
    async function send(path: string, init: RequestInit = {}): Promise<Answer> {
      const url = new URL(path, ORIGIN)
      const sent = { accept: 'text/html', ...headers, cookie: jar.header(), ...(init.headers as object) }
      const response = await app.fetch(new Request(url, { ...init, headers: sent }), { address: '192.0.2.7' })
      jar.keep(response)
      return { url, status: response.status, html: await response.text(), headers: response.headers }
    }
    /** Follows redirects, and pages that lead on by themselves. */
    async function follow(answer: Answer): Promise<Answer> {
      const location = answer.headers.get('location') ?? leadsTo(answer.html)
      if (location === null) return answer
      const next = new URL(location, answer.url)
      if (next.origin !== ORIGIN) return { ...answer, url: next }
      return follow(await send(next.href))
    }
    const postTo = (action: URL, body: URLSearchParams, more: Record<string, string> = {}) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      return send(action.href, { method: 'POST', body, headers: { ...type, origin: ORIGIN, ...more } })
    }
    return {
      cookies: jar.cookies,
      send,
      open: async (url) => follow(await send(String(url))),
      async submit({ url, html }, fields = {}) {
        const form = formOf(html)
        return follow(await postTo(new URL(form.action, url), filled(form, fields)))
      },
      async post({ url, html }, fields = {}, more = {}) {
        const form = formOf(/<main[\s\S]*/.exec(html)?.[0] ?? html)
        const read = [...form.fields].map(([name, value]) => [name, value.replaceAll('&quot;', '"')])
        form.fields = new URLSearchParams(read)
        return postTo(new URL(form.action || url.href, url), filled(form, fields), more)
      },
    }
  }

  /** A user with a passkey, and with these roles. */
  async function administrator(username: string, role: Role | null = 'owner', realms = ['*']) {
    const sub = `${username}-1`
    await createUser(users, { username, sub, claims: { preferred_username: username } })
    if (role !== null)
      await openRoleStore(storage).change('default', () => ({
        put: { holder: `sub:${sub}`, role, realms },
      }))
    return givePasskey({ users, factors }, sub)
  }

  /** Opens a page of the console, and signs in for it. */
  async function signedIn(passkey: Passkey, path = '/admin', headers: Record<string, string> = {}) {
    const own = browser(headers)
    const page = await withPasskey(own, await own.open(path), { passkey, origin: ORIGIN })
    return { browser: own, page: page as Answer }
  }

  return { app, storage, lines, clock, now, browser, administrator, signedIn, users }
}

/** Where a page leads by itself. */
export const leadsTo = (html: string): string | null =>
  /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null
