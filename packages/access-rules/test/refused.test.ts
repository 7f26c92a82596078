/** The page for a user who may not use an application, and its ways out. */

import { describe, expect, it } from 'vitest'
import { helpFault } from '../src/index.js'
import {
  ask,
  authorizeUrl,
  browserOf,
  fieldsOf,
  follow,
  ORIGIN,
  type Place,
  place,
  REDIRECT_URI,
  send,
  signIn,
  textOf,
} from './_place.js'

const STAFF = { allowed_groups: ['staff'] }
const start = (changes: object = {}, help?: string) =>
  place({ clients: [{ client_id: 'app', ...STAFF, ...changes }], ...(help !== undefined && { help }) })
const parametersOf = (response: Response) => {
  const url = new URL(response.headers.get('location') ?? '')
  return { to: url.origin + url.pathname, ...Object.fromEntries(url.searchParams) }
}
const DENIED = { to: REDIRECT_URI, error: 'access_denied', state: 'the state', iss: ORIGIN }
const hrefOf = (html: string, text: string): string =>
  new RegExp(`<a [^>]*href="([^"]+)">${text}</a>`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
const setGroups = async (w: Place, username: string, groups: string[]) => {
  const user = await w.users('default').findByUsername(username)
  if (user)
    await w.users('default').update({ ...user, groups, updated_at: user.updated_at + 1 }, user.updated_at)
}

it.each([
  ['en', 'Your account may not use Quarterly Reports', 'Ask the people', 'Back to Quarterly Reports'],
  ['de', 'Ihr Konto darf Quarterly Reports nicht verwenden', 'Bitten Sie', 'Zurück zu Quarterly Reports'],
  ['fr', 'Votre compte ne peut pas utiliser Quarterly Reports', 'Demandez', 'Retour à Quarterly Reports'],
  ['nl', 'Your account may not use Quarterly Reports', 'Ask the people', 'Back to Quarterly Reports'],
])('in %s, after the sign-in', async (ui_locales, ...texts) => {
  const w = await start()
  const page = await ask(browserOf(w), 'ben', { ui_locales })
  expect(page.status).toBe(403)
  const html = await page.text()
  for (const text of [...texts, ' ben ']) expect(textOf(html)).toContain(text)
  expect(html).not.toMatch(/<script/)
  expect(page.headers.get('cache-control')).toBe('no-store')
})

it('says with whom to ask, and names the request as the log does', async () => {
  const w = await start({}, 'Write to <it@corp.example> & wait.')
  const html = await (await ask(browserOf(w), 'ben')).text()
  expect(html).toContain('<p>Write to &lt;it@corp.example&gt; &amp; wait.</p>')
  expect(html).not.toContain('Ask the people')
  const reference = /[0-9A-F]{4}-[0-9A-F]{4}/.exec(textOf(html))?.[0]
  expect(reference).toBeDefined()
  expect(w.events.find(({ type }) => type === 'access.denied')).toMatchObject({
    request_id: 'a request',
    client_id: 'app',
  })
})

it('a user in the group gets a code, and never this page', async () => {
  const w = await start()
  expect(parametersOf(await ask(browserOf(w), 'ann'))).toMatchObject({ code: expect.any(String) })
})

it('the name of the application is escaped', async () => {
  const w = await start({ client_name: '<img src=x onerror=alert(1)>' })
  const html = await (await ask(browserOf(w), 'ben')).text()
  expect(html).not.toContain('<img src=x')
  expect(html).toContain('&lt;img src=x')
})

describe('the way back', () => {
  it('redirects with access_denied, once, and the session goes on', async () => {
    const w = await start()
    const b = browserOf(w)
    const fields = fieldsOf(await (await ask(b, 'ben')).text(), 'class="quiet"')
    expect(parametersOf(await send(b, fields))).toMatchObject(DENIED)
    const again = await send(b, fields)
    expect([again.status, again.headers.get('location')]).toEqual([400, null])
    expect(parametersOf(await b.get(authorizeUrl({ prompt: 'none' })))).toMatchObject({
      error: 'access_denied',
    })
  })

  it.each<[string, (fields: Record<string, string>) => Record<string, string>, Record<string, string>]>([
    ['without the token of the form', ({ csrf_token: _, ...rest }) => rest, {}],
    ['with another token', (fields) => ({ ...fields, csrf_token: 'a'.repeat(43) }), {}],
    ['from another site', (fields) => fields, { 'sec-fetch-site': 'cross-site' }],
  ])('%s: goes nowhere, and the request waits', async (_, change, headers) => {
    const w = await start()
    const b = browserOf(w)
    const fields = fieldsOf(await (await ask(b, 'ben')).text(), 'class="quiet"')
    const refused = await send(b, change(fields), headers)
    expect(refused.headers.get('location')).toBeNull()
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(parametersOf(await send(b, fields))).toMatchObject(DENIED)
  })

  it('from another browser: goes nowhere', async () => {
    const w = await start()
    const fields = fieldsOf(await (await ask(browserOf(w), 'ben')).text(), 'class="quiet"')
    const stranger = await send(browserOf(w), fields)
    expect([stranger.status, stranger.headers.get('location')]).toEqual([403, null])
  })
})

it('*Try again* goes on when the user is in the group by now', async () => {
  const w = await start()
  const b = browserOf(w)
  const html = await (await ask(b, 'ben')).text()
  const again = hrefOf(html, 'Try again')
  expect((await b.get(again)).status).toBe(403)
  await setGroups(w, 'ben', ['staff'])
  expect(parametersOf(await b.get(again))).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
})

it('another account can sign in, and the rules are about that one', async () => {
  const w = await start()
  const b = browserOf(w)
  const html = await (await ask(b, 'ben')).text()
  const login = await b.get(`${ORIGIN}${hrefOf(html, 'Sign in with another account')}`)
  expect(login.status).toBe(200)
  expect(parametersOf(await signIn(b, login, 'ann'))).toMatchObject({
    to: REDIRECT_URI,
    code: expect.any(String),
  })
})

it('prompt=none redirects at once', async () => {
  const w = await start()
  const b = browserOf(w)
  await ask(b, 'ben')
  expect(parametersOf(await follow(b, await b.get(authorizeUrl({ prompt: 'none' }))))).toMatchObject(DENIED)
})

it('without the page, the client gets access_denied: as with a page that is for other clients', async () => {
  const w = await place({ clients: [{ client_id: 'app', ...STAFF }, { client_id: 'open' }] })
  const b = browserOf(w)
  await ask(b, 'ben', { client_id: 'open' })
  expect(parametersOf(await b.get(authorizeUrl({ client_id: 'open' })))).toHaveProperty('code')
  expect((await b.get(authorizeUrl())).status).toBe(403)
})

describe('the text of the operator', () => {
  it.each(['a', 'a'.repeat(500), 'Écrivez à l’équipe <b> 🦉'])('may be %j', (text) => {
    expect(helpFault(text)).toBeNull()
  })
  it.each(['', '  ', 'a'.repeat(501), 'two\nlines', 'a\u0000'])('cannot be %j', (text) => {
    expect(helpFault(text)).toMatch(/1 to 500 characters/)
  })
})
