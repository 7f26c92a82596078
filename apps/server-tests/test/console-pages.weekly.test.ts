/** Each page of the console, in each language: photographed, and checked with axe, narrow and wide, light and dark. */

import { personTag } from '@ostiary/core'
import { heading } from '@ostiary/test-kit/chromium'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { activity, administrator, consolePlace, REALM } from './console-place.ts'
import { inChromium } from './in-chromium.ts'
import { createShow, type Show } from './page-variants.ts'

vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()
let show: Show
beforeAll(async () => {
  show = await createShow(chromium.browser())
})

/** What would happen at the client `notes`, and the rules of who may use it. */
async function clientPages(page: Page, { language, notes }: { language: string; notes: string }) {
  for (const [name, path, fields] of [
    ['refused', 'try', { user: 'bob', redirect_uri: `https://notes.example.com/${'a'.repeat(120)}` }],
    ['login', 'try', { parameters: 'max_age=1' }],
    ['unknown', 'try', { user: 'nobody' }],
    ['tokens', 'try/tokens', { user: 'bob' }],
    ['sign-in', 'try/sign-in', { user: 'bob', address: '2001:db8:1111:2222:3333:4444:5555:6666' }],
  ] as const) {
    await page.goto(`${notes}/${path}`)
    for (const [field, text] of Object.entries(fields)) await page.locator(`#${field}`).fill(text)
    await page.locator('form.act button:not([name])').click()
    await page.waitForLoadState()
    expect(await page.locator(name === 'unknown' ? '#user-error' : '.answer').count()).toBe(1)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await show(page, `console-${language}-try-${name}`)
  }
  await page.goto(`${notes}/edit`)
  await page.locator('#allowed_groups').fill(`staff\n${'x'.repeat(200)}`)
  await page.locator('#required_acr').selectOption('2')
  await show(page, `console-${language}-rules-edit`)
  await page.locator('form.act button:not([name])').click()
  await page.waitForLoadState()
  expect(await page.getByRole('status').count()).toBe(1)
  await show(page, `console-${language}-rules`)
}

it.each([
  ['en-GB', 'en', 'Home'],
  ['de-CH', 'de', 'Übersicht'],
  ['fr-FR', 'fr', 'Accueil'],
])('each page looks as it should, for a browser in %s', async (locale, language, title) => {
  const place = await consolePlace()
  const page = await administrator(chromium, place, { locale })
  const { issuer } = place.server
  await page.goto(`${issuer}/admin`)
  expect(await heading(page)).toBe(title)
  const seen = new Set<string>()
  const home = page.url().slice(issuer.length)
  await show(page, `console-${language}-empty`)
  const { row, reference } = await activity(page, place)
  const waiting = [
    home,
    `${REALM}/users?prefix=nothing`,
    '/admin/nothing',
    `${REALM}/find?q=`,
    `${REALM}/find?q=b`,
    `${REALM}/find?q=nothing`,
    `${REALM}/sign-ins?show=refused&reason=unknown_client`,
    `${REALM}/sign-ins?reason=nothing`,
    `${REALM}/explain`,
    `${REALM}/explain/${reference}`,
    `${REALM}/explain/FFFF-FFFF`,
    `${REALM}/audit?type=client.&since=2026-01-01T00:00`,
    `${REALM}/audit?type=nothing`,
    row,
    `${row}/undo`,
    `${REALM}/mail`,
    `${REALM}/roles`,
    `${REALM}/keys`,
    `${REALM}/upstreams`,
    `${REALM}/registration`,
    `${REALM}/registration?search=nothing`,
  ]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    await page.goto(issuer + path)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await show(page, `console-${language}-${path.replaceAll(/\W+/g, '-')}`)
    for (const link of await page.locator('a[href^="/admin/"]').all()) {
      const href = (await link.getAttribute('href')) ?? ''
      // One page for each kind of row is above.
      if (!/\/(?:audit|explain)\/|\?/.test(href)) waiting.push(href)
    }
  }
  expect(seen.size).toBeGreaterThan(30)
  for (const path of [
    `users/bob-1/factors/app-${personTag('bob-1')}`,
    'users/bob-1/links/github',
    `users/bob-1/sessions/s-${personTag('bob-1')}`,
    'keys/new',
    'roles/new/support',
    'mail/test',
    'upstreams/github/check',
    'registration/documents',
  ])
    expect([...seen]).toContain(`${REALM}/${path}`)
  for (const id of ['github', 'the-provider-of-our-company']) {
    await page.goto(`${issuer}${REALM}/upstreams/${id}/check`)
    await page.locator('form.act button').click()
    await page.waitForLoadState()
    await show(page, `console-${language}-checked-${id}`)
  }
  await clientPages(page, { language, notes: `${issuer}${REALM}/clients/notes` })
  const bare = await consolePlace({ is_bare: true })
  const other = await administrator(chromium, bare, { locale })
  for (const path of ['upstreams', 'registration', 'registration/documents']) {
    await other.goto(`${bare.server.issuer}${REALM}/${path}`)
    expect(await other.locator('.empty').count()).toBe(1)
    await show(other, `console-${language}-no-${path.replaceAll(/\W+/g, '-')}`)
  }
})

it.each([
  ['en-GB', 'en', 'Realms'],
  ['de-CH', 'de', 'Realms'],
  ['fr-FR', 'fr', 'Domaines'],
])('each page of realms looks as it should, for a browser in %s', async (locale, language, title) => {
  const oidc = { routes: { realms: 'path' }, realms: { default: {}, fixed: {} } }
  const place = await consolePlace({ is_bare: true, oidc, more: { realms_at_run_time: true } })
  const settings = {
    oidc: { tokens: { access_token: 300 }, scopes: { 'https://api.example.com/a.very.long.scope': {} } },
    identity: { second_factor: 'required' },
  }
  await place.executor.query(
    'insert into oidc_realms (realm, settings, created_at, updated_at, version, change) values ($1, $2, 1, 1, 1, 1)',
    ['a'.repeat(63), JSON.stringify(settings)],
  )
  const page = await administrator(chromium, place, { locale })
  const own = `${place.server.issuer}${REALM}/realms`
  await page.goto(own)
  expect(await heading(page)).toBe(title)
  const made = `${own}/${'a'.repeat(63)}`
  for (const [name, url] of [
    ['list', own],
    ['new', `${own}/new`],
    ['configured', `${own}/fixed`],
    ['made', made],
    ['edit', `${made}/edit`],
    ['delete', `${made}/delete`],
  ] as const) {
    await page.goto(url)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await show(page, `console-${language}-realms-${name}`)
  }
  await page.goto(`${made}/edit`)
  await page.locator('#settings').fill('{ "oidc": { "tokens": { "acess_token": 300 } } }')
  await page.locator('form.act button:not([name])').click()
  await page.waitForLoadState()
  expect(await page.locator('#settings-error').textContent()).toContain('did you mean access_token?')
  await show(page, `console-${language}-realms-fault`)
})
