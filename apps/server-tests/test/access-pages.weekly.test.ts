/** The pages for users who may not use an application, in every language, without JavaScript, on the narrowest phone and on a desktop. */

import { beforeAll, expect, it } from 'vitest'
import { enterCodeOf, serveAccess, signInAs } from './access-place.ts'
import { inChromium } from './in-chromium.ts'
import { LOCALES, withArabic } from './languages.ts'
import { createShow, type Show } from './page-variants.ts'
import { followByKeyboard } from './photograph.ts'

const LONG_NAME = 'Rechnungsprüfungsverwaltungsassistent'

const chromium = inChromium()
let show: Show
beforeAll(async () => {
  show = await createShow(chromium.browser())
})

it.each(LOCALES)('the pages for a browser in %s', async (locale, language) => {
  const server = await serveAccess(chromium, { name: LONG_NAME, ...withArabic() })
  const page = await chromium.device({ locale, javaScriptEnabled: false })
  const shown = async (name: string) => {
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await show(page, `${language}-access-${name}`)
  }
  await page.goto(chromium.authorizeUrl(server, { client_id: 'payroll' }))
  await signInAs(page, 'ben')
  await page.locator('main form').waitFor()
  await shown('refused')
  await enterCodeOf(page, server.issuer, 'tv')
  await shown('device')
  await enterCodeOf(page, server.issuer, 'safe')
  await shown('device-weak')
  await page.goto(`${server.issuer}/account`)
  await page.locator('#applications').waitFor()
  await shown('account')
  await page.goto(chromium.authorizeUrl(server, { client_id: 'payroll' }))
  await followByKeyboard(page, 'main form button')
  expect(await chromium.answer(page)).toMatchObject({ error: 'access_denied' })
})
