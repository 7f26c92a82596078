/** `login_hint` (OpenID Connect Core §3.1.2.1) is for the name field of the sign-in page, and selects nothing. */

import { expect, it } from 'vitest'
import { answer, client, world } from './support.js'

const LONGEST = 'x'.repeat(320)

it.each([
  ['ann@example.com', 'ann@example.com'],
  ['  ann  ', 'ann'],
  ['<b>"ann"</b>', '<b>"ann"</b>'],
  [LONGEST, LONGEST],
  [`${LONGEST}x`, null],
  ['a\nb', null],
  ['   ', null],
  [null, null],
])('%j: the prompt has %j', async (login_hint, shown) => {
  const w = await world()
  expect((await w.browser().authorize({ login_hint })).status).toBe(302)
  expect(w.logins.at(-1)?.login_hint).toBe(shown)
})

it('another user than the named one may sign in, and a signed-in user stays', async () => {
  const w = await world({ clients: [await client({ trusted: true })] })
  const browser = w.browser()
  await browser.authorize({ login_hint: 'alice' })
  expect(answer(await browser.signIn('bob')).code).toBeDefined()
  expect(answer(await browser.authorize({ login_hint: 'alice', prompt: 'none' })).code).toBeDefined()
})
