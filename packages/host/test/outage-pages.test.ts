/** While the database is unavailable, a browser gets a page that says so at every address, and never a 500. */

import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import { ownDatabase } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type App, createApp, createLog } from '../src/index.ts'
import { proxy } from './proxy.ts'
import { configure, FILE, PASSWORD } from './support.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const AUTHORIZE = `/oauth/authorize?${new URLSearchParams({
  client_id: 'app',
  redirect_uri: 'http://localhost:8080/callback',
  response_type: 'code',
  scope: 'openid',
  state: 'the-state',
  code_challenge_method: 'S256',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
})}`

/** Keeps its cookies and fills in forms. */
function browser(app: App) {
  const jar = cookieJar()
  async function send(path: string, body?: URLSearchParams, headers: Record<string, string> = HTML) {
    const init = { headers: { ...headers, cookie: jar.header() }, ...(body && { method: 'POST', body }) }
    const response = await app.fetch(new Request(new URL(path, 'http://localhost:4000'), init))
    jar.keep(response)
    const { status } = response
    const location = response.headers.get('location') ?? ''
    return { status, location, headers: response.headers, text: await response.text() }
  }
  const form = (text: string, typed: Record<string, string>) => filled(formOf(text), typed)
  return { send, form }
}

/** Two users: one at the sign-in form, the other at the consent page. */
async function people() {
  const database_url = await ownDatabase()
  const database = await proxy(database_url)
  const config = await configure(FILE, { DATABASE_URL: database.url })
  const app = await createApp(config, { log: createLog({ write: () => {} }) })
  onTestFinished(() => app.stop())
  await app.start()
  const ann = browser(app)
  const bob = browser(app)
  const login = (await bob.send(AUTHORIZE)).location
  const credentials = { username: 'ann', password: PASSWORD }
  const sign_in = bob.form((await bob.send(login)).text, credentials)
  const opened = await ann.send((await ann.send(AUTHORIZE)).location)
  const resume = (await ann.send('/login', ann.form(opened.text, credentials))).location
  const consent = ann.form((await ann.send(resume)).text, {})
  expect([sign_in.has('csrf_token'), consent.has('auth_token')]).toEqual([true, true])
  return { app, database, ann, bob, login, sign_in, resume, consent }
}

describe('while the database is unavailable', () => {
  it.each(['cut', 'hang'] as const)(
    '(%s) every page is 503, and works again after the outage',
    async (how) => {
      const { app, database, ann, bob, login, sign_in, resume, consent } = await people()
      await database[how]()
      const shown = await Promise.all([
        bob.send(login),
        bob.send('/login', sign_in),
        ann.send(resume),
        ann.send('/oauth/authorize/consent', consent),
        ann.send('/oauth/logout'),
      ])
      for (const { status, headers, text } of shown) {
        expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
        expect(headers.get('retry-after')).toMatch(/^\d+$/)
        expect(text).toContain('<h1>Not available right now</h1>')
        expect(text).toContain('load this page again')
        expect(text).toContain('<link rel="stylesheet" href="/login/style.css')
      }
      // Authorize answers with the same page, or redirects with an error.
      const authorize = await ann.send(AUTHORIZE)
      if (authorize.status !== 503) {
        const { searchParams } = new URL(authorize.location)
        expect([searchParams.get('error'), searchParams.get('state')]).toEqual([
          'temporarily_unavailable',
          'the-state',
        ])
      }

      await database.restore()
      const ready = () => app.fetch(new Request('http://localhost:4000/readyz'))
      await eventually(async () => (await ready()).status === 200)
      expect((await bob.send('/login', sign_in)).status).toBe(303)
      const answered = await ann.send('/oauth/authorize/consent', consent)
      expect(new URL(answered.location).searchParams.has('code')).toBe(true)
    },
  )

  it('a program gets JSON at the same addresses', async () => {
    const { database, ann, consent } = await people()
    await database.cut()
    for (const [path, body] of [['/oauth/authorize/consent', consent], ['/oauth/logout']] as const) {
      const { status, headers, text } = await ann.send(path, body, { accept: '*/*' })
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable' })
    }
  })
})
