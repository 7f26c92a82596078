/** `login_hint` fills the name field of the sign-in page, escaped. */

import { expect, it } from 'vitest'
import { browser, openLogin, setup } from './_setup.js'

const fieldOf = (html: string) => /<input id="username"[^>]* value="([^"]*)"/.exec(html)?.[1]

it.each([
  ['ada', 'ada'],
  ['"><script>alert(1)</script>', '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['x'.repeat(256), ''],
  ['', ''],
])('%j', async (login_hint, value) => {
  const s = await setup()
  const { html } = await openLogin(s, browser(s), { login_hint })
  expect(fieldOf(html)).toBe(value)
  const focused = /id="(username|password)"[^>]* autofocus/.exec(html)?.[1]
  expect(focused).toBe(value === '' ? 'username' : 'password')
})
