/** Every event of a request has the id of its request: in its log line, and for the counts by route. */

import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import { expect, it } from 'vitest'
import { FILE, PASSWORD, startApp } from './support.ts'

const WORKER = { client_id: 'worker', client_secret: 'x'.repeat(32), grant_types: ['client_credentials'] }

it('the lines of a sign-in, of tokens, of refusals and of the account page', async () => {
  const { get, logged, lines } = await startApp({ ...FILE, clients: [...FILE.clients, WORKER] })
  const jar = cookieJar()
  let last = { url: '', html: '' }
  const open = async (path: string, init: RequestInit = {}): Promise<void> => {
    const response = await get(path, { ...init, headers: { cookie: jar.header() } })
    jar.keep(response)
    const location = response.headers.get('location')
    if (location?.startsWith('/') || location?.startsWith('http://localhost:4000')) return open(location)
    last = { url: path, html: await response.text() }
  }
  const submit = (fields: Record<string, string>, nth = 0) => {
    const form = formOf(last.html, nth)
    const address = new URL(form.action, new URL(last.url, 'http://localhost:4000'))
    return open(address.href, { method: 'POST', body: filled(form, fields) })
  }
  const authorize = new URLSearchParams({
    client_id: 'app',
    redirect_uri: 'http://localhost:8080/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  await open(`/oauth/authorize?${authorize}`)
  await submit({ username: 'ann', password: 'wrong' })
  await submit({ username: 'ann', password: PASSWORD })
  await open(`/oauth/authorize?${authorize}&prompt=none`)
  await open('/account')
  const change = { current_password: PASSWORD, new_password: `${PASSWORD} 2` }
  await submit({ ...change, new_password_again: change.new_password }, changePassword(last.html))
  const form = { grant_type: 'client_credentials', client_id: 'worker', client_secret: 'x'.repeat(32) }
  await get('/oauth/token', { method: 'POST', body: new URLSearchParams(form) })
  await get('/oauth/token', { method: 'POST', body: new URLSearchParams({ ...form, client_secret: 'y' }) })
  await get('/oauth/userinfo', { headers: { authorization: 'Bearer forged' } })

  const ids = new Set(logged('request').map(({ request_id }) => request_id))
  const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== undefined)
  const withoutId = events.filter(({ request_id }) => !ids.has(request_id)).map(({ event }) => event)
  // The key and the records of the configuration are made before the first request.
  expect(new Set(withoutId)).toEqual(new Set(withoutId.filter((event) => event === 'key.created')))
  const found = new Set(events.map(({ event }) => event))
  for (const event of [
    'authorization.requested',
    'authorization.refused',
    'login.refused',
    'session.started',
    'session.ended',
    'account.password_changed',
    'token.issued',
    'client.authentication_failed',
    'request.refused',
    'bearer.refused',
  ])
    expect(found).toContain(event)
  const routeOf = new Map(logged('request').map(({ request_id, route }) => [request_id, route]))
  const routes = Object.fromEntries(events.map(({ event, request_id }) => [event, routeOf.get(request_id)]))
  expect(routes).toMatchObject({
    'login.refused': 'login',
    'account.password_changed': 'account',
    'token.issued': 'oidc.token',
    'bearer.refused': 'oidc.userinfo',
  })
})

/** The position of the form with this field. */
const changePassword = (html: string): number =>
  html
    .split('<form')
    .slice(1)
    .findIndex((form) => form.includes('name="new_password"'))
