/** Each page of a recovery, in each language: photographed, and checked with axe. `recovery-link` has the way alone. */

import { beforeAll, expect, it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { LOCALES, withArabic } from './languages.ts'
import { createShow, type Show } from './page-variants.ts'
import { recover } from './recovery-flow.ts'

// A photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()
let show: Show
beforeAll(async () => {
  show = await createShow(chromium.browser())
})

it.each(LOCALES)('each page of a recovery looks as it should, for a browser in %s', (locale, language) =>
  recover(chromium, {
    locale,
    more: withArabic(),
    async look(page, name) {
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      await show(page, `${language}-${name}`)
    },
  }),
)
