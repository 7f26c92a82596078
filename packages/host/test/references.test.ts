/** What failed has one short name, on the page and in the log line that explains it. */

import { describe, expect, it } from 'vitest'
import { FILE, startApp } from './support.ts'

const NAVIGATION = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }
const REFERENCE = /(?:Reference|Referenz|Référence\u00a0): ([0-9A-F]{4}-[0-9A-F]{4})</

const CASES: [string, string, string][] = [
  ['an unknown client', '/oauth/authorize?client_id=ap&response_type=code', 'request.refused'],
  ['a request that has expired', '/oauth/authorize/resume?token=old', 'request.refused'],
  ['a sign-in whose request has expired', '/login?return_to=old', 'login.refused'],
]

describe('an error page has the reference of the log line', () => {
  it.each(CASES)('%s', async (...[, path, event]) => {
    const { get, logged } = await startApp()
    const page = await get(path, { headers: NAVIGATION })
    const [, shown] = REFERENCE.exec(await page.text()) ?? []
    expect([page.status, logged(event).map(({ reference }) => reference)]).toEqual([400, [shown]])
    expect(shown).toBeTypeOf('string')
    expect(logged(event)[0]?.hint).toBeTypeOf('string')
  })

  it.each(['de', 'fr'])('in the language %s too', async (language) => {
    const { get } = await startApp()
    const headers = { ...NAVIGATION, 'accept-language': language }
    expect(await (await get('/oauth/authorize?client_id=ap', { headers })).text()).toMatch(REFERENCE)
  })

  it('outside of the realms too', async () => {
    const by_path = { app: FILE.app, oidc: { routes: { realms: 'path' }, realms: { acme: {} } } }
    const { get } = await startApp(by_path)
    expect(await (await get('/realms/nope/oauth/authorize', { headers: NAVIGATION })).text()).toMatch(
      REFERENCE,
    )
  })

  it('another request has another one; a page that refuses nothing has none', async () => {
    const { get } = await startApp()
    const ask = async (path: string) => (await get(path, { headers: NAVIGATION })).text()
    const [first, second] = [await ask('/oauth/authorize'), await ask('/oauth/authorize')].map(
      (text) => REFERENCE.exec(text)?.[1],
    )
    expect(first).not.toBe(second)
    expect(await ask('/login')).not.toMatch(REFERENCE)
  })
})
