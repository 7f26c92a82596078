/** The console in Chromium, with JavaScript off: more by keyboard alone, and markup in each text. */

import { heading } from '@ostiary/test-kit/chromium'
import { expect, it, vi } from 'vitest'
import { activity, administrator, consolePlace, REALM } from './console-place.ts'
import { inChromium } from './in-chromium.ts'
import { followByKeyboard, tabTo } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()

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
