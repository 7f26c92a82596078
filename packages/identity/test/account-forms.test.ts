/** Forms of the account page that are forged or damaged. */

import { describe, expect, it } from 'vitest'
import { upsertUser } from '../src/index.js'
import {
  accountUrl,
  alertOf,
  allow,
  CHANGE,
  NEW_PASSWORD,
  openAccount,
  postAccount,
  sidOf,
  sidsOf,
  signedIn,
  signInAt,
  subOf,
} from './_account.js'
import { type Browser, browser, hidden, PASSWORD, type Setup, setup } from './_setup.js'

const FORMS = [
  ['change_password', CHANGE],
  ['end_session', { action: 'end_session', sid: 'x' }],
  ['end_others', { action: 'end_others' }],
  ['withdraw', { action: 'withdraw', client_id: 'app', resource: '' }],
] as const

/** A signed-in browser, a second session and a consent. */
async function victim(s: Setup): Promise<Browser> {
  const b = await signedIn(s)
  await allow(s, await signedIn(s))
  return b
}

async function expectUntouched(s: Setup, sessions = 2) {
  const sub = await subOf(s)
  expect(await sidsOf(s, sub)).toHaveLength(sessions)
  expect(await s.storage('default').consents.list(sub)).toMatchObject([{ revoked_at: null }])
  expect((await signInAt(s, browser(s))).status).toBe(303)
}

describe.each(FORMS)('a forged form: %s', (_, fields) => {
  async function expectRefused(s: Setup, response: Response) {
    expect(response.status).toBe(403)
    expect(await alertOf(response)).toContain('could not confirm this form, and nothing was changed')
    expect(s.events).toMatchObject([
      { type: 'account.refused', reason: 'csrf', action: null, sub: await subOf(s), address: null },
    ])
    await expectUntouched(s)
  }

  it.each(['', 'wrong', 'x'.repeat(43), 'é', '\0'])('with the token %j is refused', async (csrf_token) => {
    const s = await setup()
    const b = await victim(s)
    await expectRefused(s, await b.post(accountUrl(s), { ...fields, csrf_token }))
  })

  it.each(['cross-site', 'same-site'])('from a %s page is refused', async (site) => {
    const s = await setup()
    const b = await victim(s)
    const { csrf_token } = await openAccount(s, b)
    const headers = { 'sec-fetch-site': site }
    await expectRefused(s, await b.post(accountUrl(s), { ...fields, csrf_token }, { headers }))
  })

  it('without the cookie is refused', async () => {
    const s = await setup()
    const b = await victim(s)
    const { csrf_token } = await openAccount(s, b)
    b.cookies.delete('__Host-ostiary_csrf')
    await expectRefused(s, await b.post(accountUrl(s), { ...fields, csrf_token }))
  })

  it("with another session's token is refused, even under the same cookie", async () => {
    const s = await setup()
    await upsertUser(s.users('default'), { username: 'eve', password: 'evil evil evil' })
    const eve = await signedIn(s, { username: 'eve', password: 'evil evil evil' })
    await allow(s, eve)
    const { csrf_token } = await openAccount(s, eve)
    const b = await victim(s)
    b.cookies.set('__Host-ostiary_csrf', eve.cookies.get('__Host-ostiary_csrf') ?? '')
    await expectRefused(s, await b.post(accountUrl(s), { ...fields, csrf_token }))
  })

  it('with the token of a sign-in form is refused', async () => {
    const s = await setup()
    const b = await victim(s)
    const html = await (await b.get(`${s.base('default')}/login?return_to=%2Faccount`)).text()
    await expectRefused(s, await b.post(accountUrl(s), { ...fields, csrf_token: hidden(html, 'csrf_token') }))
  })

  it('after the end of the session redirects to the sign-in and changes nothing', async () => {
    const s = await setup()
    const b = await victim(s)
    const { csrf_token } = await openAccount(s, b)
    await (await s.provider.manage()).sessions.end(await sidOf(s, b))
    const sent = await b.post(accountUrl(s), { ...fields, csrf_token })
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      'https://id.example/login?return_to=%2Faccount',
    ])
    await expectUntouched(s, 1)
  })
})

describe('a form that cannot be read', () => {
  const FORM = 'application/x-www-form-urlencoded'

  it.each([
    { fault: 'of another type', type: 'application/json', body: '{}', status: 415 },
    { fault: 'too large', type: FORM, body: `action=${'x'.repeat(40_000)}`, status: 413 },
    { fault: 'empty', type: FORM, body: '', status: 400 },
    { fault: 'without an action', type: FORM, body: 'csrf_token=x', status: 400 },
    {
      fault: 'with two actions',
      type: FORM,
      body: 'csrf_token=x&action=withdraw&action=end_others',
      status: 400,
    },
  ])('$fault is answered with a page', async ({ type, body, status }) => {
    const s = await setup()
    const b = await signedIn(s)
    const response = await b.get(accountUrl(s), { method: 'POST', body, headers: { 'content-type': type } })
    expect(response.status).toBe(status)
    expect(await response.text()).toContain('Open your account page and try again.')
  })

  it.each([
    { action: 'toString' },
    { action: '' },
    { action: 'end_session' },
    { action: 'withdraw', client_id: 'app' },
    { action: 'change_password', current_password: PASSWORD, new_password: NEW_PASSWORD },
  ])('%j is incomplete', async (fields) => {
    const s = await setup()
    const b = await victim(s)
    expect((await postAccount(s, b, fields)).status).toBe(400)
    await expectUntouched(s)
  })

  it.each(['PUT', 'DELETE', 'PATCH'])('%s is not a method of the page', async (method) => {
    const s = await setup()
    const response = await browser(s).get(accountUrl(s), { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

it('two simultaneous forms change the password once', async () => {
  const s = await setup()
  const b = await signedIn(s)
  const { csrf_token } = await openAccount(s, b)
  const post = (new_password: string) =>
    b.post(accountUrl(s), { ...CHANGE, csrf_token, new_password, new_password_again: new_password })
  const statuses = (await Promise.all([post(NEW_PASSWORD), post('other words in a row')])).map(
    ({ status }) => status,
  )
  expect(statuses.sort()).toEqual([303, 409])
})
