/** The console in Chromium, with JavaScript off: by keyboard alone, and from other sites. */

import { heading } from '@ostiary/test-kit/chromium'
import { expect, it, onTestFinished, vi } from 'vitest'
import { administrator, consolePlace, REALM } from './console-place.ts'
import { inChromium } from './in-chromium.ts'
import { followByKeyboard, tabTo } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()

it('a user is created by keyboard alone, and a fault is shown at its field', async () => {
  const place = await consolePlace()
  const page = await administrator(chromium, place)
  await page.goto(`${place.server.issuer}/admin`)
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
  await followByKeyboard(page, `a[href="${REALM}/users"]`)
  await followByKeyboard(page, `a[href="${REALM}/users/new"]`)
  await tabTo(page, '#username')
  await page.keyboard.type('bob')
  await followByKeyboard(page, 'form.act button:not([name])')
  expect(await page.locator('[role="alert"], .fault').first().isVisible()).toBe(true)
  await tabTo(page, '#username')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('eva')
  await followByKeyboard(page, 'form.act button:not([name])')
  expect(await heading(page)).toContain('eva')
  expect(await page.getByRole('status').textContent()).toBe('The user is created.')
})

it('no other site frames a page, and a link from one opens it in the session', async () => {
  const place = await consolePlace()
  const page = await administrator(chromium, place)
  const { issuer } = place.server
  await page.route('https://evil.example.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${issuer}${REALM}/users?prefix=bo">open</a><iframe src="${issuer}${REALM}/users"></iframe>`,
    }),
  )
  await page.goto('https://evil.example.com/')
  await page.waitForLoadState()
  expect(await page.frames()[1]?.locator('main').count()).toBe(0)
  await page.getByText('open').click()
  await page.waitForURL(`${issuer}${REALM}/users?prefix=bo`)
  expect(await heading(page)).toBe('Users')
  onTestFinished(() => page.unrouteAll())
})
