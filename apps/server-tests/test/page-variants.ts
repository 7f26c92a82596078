/** A page on the narrowest phone and on a desktop, light and dark: checked with axe, and photographed once a week. */

import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inPage } from '@ostiary/test-kit/chromium'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'

const FOLDER = fileURLToPath(new URL('./screenshots/languages/', import.meta.url))
/** 320 CSS pixels: WCAG 2.2, 1.4.10. */
const SIZES = { narrow: { width: 320, height: 640 }, desktop: { width: 1280, height: 800 } }

export type Show = (page: Page, name: string) => Promise<void>

/** Expects of a page in each variant that nothing is wider than the screen, and that axe finds nothing. */
export async function createShow(browser: Browser): Promise<Show> {
  if (WEEKLY) await mkdir(FOLDER, { recursive: true })
  const copy = await browser.newPage()
  return (page, name) => show({ page, copy }, name)
}

interface Pages {
  page: Page
  /** In which axe runs. */
  copy: Page
}

async function show({ page, copy }: Pages, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (WEEKLY)
        await page.screenshot({ path: `${FOLDER}${name}-${size}-${colorScheme}.png`, fullPage: true })
      // Each size and each scheme once.
      if ((size === 'narrow') === (colorScheme === 'light'))
        expect(await violations({ page, copy }, colorScheme), `${name}, ${size}, ${colorScheme}`).toEqual([])
    }
    expect(await inPage(page, tooWide), `${name}, ${size}`).toEqual([])
  }
}

/**
 * The rules of axe that the page breaks (WCAG 2.2 A and AA, and best practices), each with the elements. Scripts may be off in the page,
 * and axe is one: it gets a copy, in which no script of the page runs.
 */
async function violations({ page, copy }: Pages, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await copy.setViewportSize(page.viewportSize() ?? SIZES.desktop)
  await copy.emulateMedia({ colorScheme })
  await page.waitForLoadState()
  const content = await page.content()
  const body = content.replaceAll(/<script[^>]*><\/script>/g, '')
  await copy.route(page.url(), (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }))
  await copy.goto(page.url())
  await inPage(copy, axe.source)
  const found = await inPage(copy, () =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  await copy.unrouteAll()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`)
}

/** Runs in the page: the elements that are cut off, or make the page scroll sideways. */
function tooWide(): string[] {
  return [...document.querySelectorAll('main, main *')]
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      const clipped = element instanceof HTMLElement && element.scrollWidth > element.clientWidth + 1
      const isField = element instanceof HTMLInputElement
      const isInline = getComputedStyle(element).display === 'inline'
      return width > 0 && (left < -1 || right > innerWidth + 1 || (clipped && !isInline && !isField))
    })
    .map((element) => `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`)
}
