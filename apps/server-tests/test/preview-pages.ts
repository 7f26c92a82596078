/** The preview of `pnpm dev` in Chromium: every page and state. */

import { inPage, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { STATES } from '../../../packages/identity/preview/preview.ts'
import { servePreview } from '../../../packages/identity/preview/serve.ts'

/** The rules of axe that the page breaks, each with its first element, and whether it is wider than the screen. */
async function faultsOf(page: Page): Promise<string[]> {
  await inPage(page, axe.source)
  const { violations } = await inPage(page, () =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  const overflow = await inPage(page, () => document.documentElement.scrollWidth - innerWidth)
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    ...(overflow > 0 ? [`${overflow} pixels too wide`] : []),
  ]
}

/** From right to left. Its other texts are English. */
const ARABIC = { language: 'ar', messages: { 'sign_in.title': 'تسجيل الدخول' } }

/** The language, the color scheme, and the width in CSS pixels. */
type Variant = readonly ['en' | 'de' | 'fr' | 'ar', 'light' | 'dark', 320 | 1280]

/** The tests of these variants. @param names Of the states; all when absent. */
export function previewIn(variants: readonly Variant[], names = Object.keys(STATES)): void {
  vi.setConfig({ testTimeout: 600_000 })

  let browser: Browser
  let url: string

  beforeAll(async () => {
    const links = [
      { text: 'Privacy', href: 'https://acme.example/privacy' },
      { text: 'Terms of use', href: '/terms' },
    ]
    url = await servePreview({ theme: { name: 'Acme', links }, languages: { catalogs: [ARABIC] } }, 0)
    browser = await launchBrowser()
    return () => browser.close()
  })

  it.each(variants)('in %s, %s, %i pixels wide: no state has a fault', async (language, scheme, width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    const errors = watch(page)
    for (const name of names) {
      await page.goto(`${url}${language}/${scheme}/${encodeURIComponent(name)}`)
      const is_mail = name.startsWith('Mail: ')
      // A mail says its direction in any case.
      const usual = is_mail ? 'ltr' : null
      const direction = language === 'ar' ? 'rtl' : usual
      expect(await page.locator('html').getAttribute('dir'), name).toBe(direction)
      // A mail has no links of the theme.
      expect(await page.locator('footer a').count(), name).toBe(is_mail ? 0 : 2)
      expect(await faultsOf(page), name).toEqual([])
    }
    expect(errors).toEqual([])
    await page.close()
  })
}
