/** Each page of the console, in each language: photographed, and checked with axe, narrow and wide, light and dark. */

import { heading } from '@ostiary/test-kit/chromium'
import { beforeAll, expect, it, vi } from 'vitest'
import { administrator, consolePlace, REALM } from './console-place.ts'
import { inChromium } from './in-chromium.ts'
import { createShow, type Show } from './page-variants.ts'

vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()
let show: Show
beforeAll(async () => {
  show = await createShow(chromium.browser())
})

it.each([
  ['en-GB', 'en', 'Users'],
  ['de-CH', 'de', 'Benutzer'],
  ['fr-FR', 'fr', 'Utilisateurs'],
])('each page looks as it should, for a browser in %s', async (locale, language, title) => {
  const place = await consolePlace()
  const page = await administrator(chromium, place, { locale })
  const { issuer } = place.server
  await page.goto(`${issuer}/admin`)
  expect(await heading(page)).toBe(title)
  const seen = new Set<string>()
  const waiting = [
    page.url().slice(issuer.length),
    `${REALM}/users?prefix=nothing`,
    '/admin/nothing',
    `${REALM}/mail`,
    `${REALM}/roles`,
    `${REALM}/keys`,
  ]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    await page.goto(issuer + path)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await show(page, `console-${language}-${path.replaceAll(/\W+/g, '-')}`)
    for (const link of await page.locator('a[href^="/admin/"]').all())
      waiting.push((await link.getAttribute('href')) ?? '')
  }
  expect(seen.size).toBeGreaterThan(30)
  for (const path of ['keys/new', 'roles/new/support', 'mail/test'])
    expect([...seen]).toContain(`${REALM}/${path}`)
})
