/** The console in Chromium, with JavaScript off: by keyboard alone, with markup in each text, and from other sites. */

import { heading } from '@ostiary/test-kit/chromium'
import { expect, it, onTestFinished, vi } from 'vitest'
import { activity, administrator, consolePlace, REALM } from './console-place.ts'
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

it('by keyboard alone, a refusal is found and explained, and a change is undone', async () => {
  const place = await consolePlace()
  const page = await administrator(chromium, place)
  const { row, reference } = await activity(page, place)
  await page.goto(`${place.server.issuer}/admin`)
  expect(await heading(page)).toBe('Home')
  await tabTo(page, '#find')
  await page.keyboard.type(reference)
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
  await page.waitForURL(`**/explain/${reference}`)
  expect(await heading(page)).toBe(`What happened: ${reference}`)
  expect(await page.locator('.advice').first().textContent()).toContain('redirect_uris')
  await followByKeyboard(page, `a[href="${REALM}/audit"]`)
  await followByKeyboard(page, `a[href="${row}"]`)
  expect(await page.locator('.diff del').first().textContent()).toBe('Notes')
  await followByKeyboard(page, `a[href="${row}/undo"]`)
  await tabTo(page, '#confirm')
  await page.keyboard.type('notes')
  await followByKeyboard(page, 'form.act button')
  expect(await page.getByRole('status').textContent()).toContain('The change is undone')
  await page.goto(`${place.server.issuer}${REALM}/clients/notes`)
  expect(await heading(page)).toMatch(/^Notes made here/)
})

it('by keyboard alone, a request is tried, and what decides is found and changed', async () => {
  const place = await consolePlace()
  const page = await administrator(chromium, place)
  await activity(page, place)
  const notes = `${REALM}/clients/notes`
  await page.goto(`${place.server.issuer}${notes}`)
  await followByKeyboard(page, `a[href="${notes}/try"]`)
  await tabTo(page, '#redirect_uri')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('https://notes.example.com/third')
  await followByKeyboard(page, 'form.act button:not([name])')
  expect(await page.getByRole('status').textContent()).toContain('It is refused: the user sees an error page')
  expect(await page.locator('#redirect_uri').inputValue()).toBe('https://notes.example.com/third')
  await followByKeyboard(page, `a[href="${notes}/edit#redirect_uris"]`)
  await tabTo(page, '#redirect_uris')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nhttps://notes.example.com/third')
  await followByKeyboard(page, 'form.act button:not([name])')
  expect(await page.getByRole('status').textContent()).toBe('The client is changed.')
})

it('markup in every text field stays text', async () => {
  const place = await consolePlace()
  const page = await administrator(chromium, place)
  const { issuer } = place.server
  const markup = `"><img src=x onerror=alert(1)><script>alert(1)</script>{count}`
  await page.goto(`${issuer}${REALM}/users/bob-1/edit`)
  await page.locator('#username').fill(markup)
  await page.locator('#name').fill(markup)
  await page.locator('#groups').fill(markup)
  await page.getByRole('button', { name: 'Show as command' }).click()
  await page.waitForLoadState()
  expect(await page.locator('#name').inputValue()).toBe(markup)
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await heading(page)).toContain(markup)
  await page.goto(`${issuer}${REALM}/clients/new/web`)
  await page.locator('#client_id').fill('made')
  await page.locator('#client_name').fill(markup)
  await page.locator('#redirect_uris').fill('https://made.example.com/cb?a="><script>')
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.waitForLoadState()
  for (const path of [
    'users',
    'users/bob-1',
    'users/bob-1/delete',
    'clients',
    'clients/made',
    'clients/made/delete',
    '',
    'audit',
    'sign-ins',
    'find',
    'registration',
    'registration/documents',
    'upstreams',
  ]) {
    await page.goto(
      `${issuer}${REALM}/${path}?done=${encodeURIComponent(markup)}&prefix=${encodeURIComponent(markup)}`,
    )
    expect(await page.locator('script, main img').count(), path).toBe(0)
  }
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
