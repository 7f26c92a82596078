/** Accessibility checks and screenshots of a page, and its focus order. */

import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inPage } from '@ostiary/test-kit/chromium'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { LONG, WEEKLY } from '../../../vitest.shared.ts'

const FOLDER = fileURLToPath(new URL('./screenshots/', import.meta.url))
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
type Size = keyof typeof SIZES
const COLOR_SCHEMES = ['light', 'dark'] as const
/** The width does not change the colors: the short run looks at a wide page once. */
const schemesOf = (size: Size) => (size === 'desktop' && !LONG ? (['light'] as const) : COLOR_SCHEMES)

/**
 * Checks the whole page, light and dark, on a phone and on a desktop. On Bun the page is the same, and is checked once; but the weekly run
 * has some pages on Bun alone.
 * The screenshots are for the eye: the weekly run takes them, and a run with OSTIARY_WEEKLY=1.
 */
export async function photograph(page: Page, name: string): Promise<void> {
  if (inject('server') !== 'node' && !WEEKLY) {
    expect((await inPage(page, look)).faults, name).toEqual([])
    return
  }
  if (WEEKLY) await mkdir(FOLDER, { recursive: true })
  for (const size of Object.keys(SIZES) as Size[]) {
    await page.setViewportSize(SIZES[size])
    const seen: string[] = []
    const schemes = schemesOf(size)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (WEEKLY)
        await page.screenshot({ path: `${FOLDER}${name}-${size}-${colorScheme}.png`, fullPage: true })
      const { colors, faults } = await inPage(page, look)
      seen.push(colors)
      expect(faults, `${name}, ${size}, ${colorScheme}`).toEqual([])
    }
    expect(new Set(seen).size, `${name}, ${size}: the dark page looks like the light one`).toBe(
      schemes.length,
    )
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** The elements that Tab reaches, in order, once around from the present focus. */
export async function focusOrder(page: Page): Promise<string[]> {
  const order: string[] = []
  const focused = () =>
    inPage(page, () => {
      const at = document.activeElement
      return at === null || at === document.body
        ? ''
        : (at.getAttribute('name') ?? at.textContent ?? '').trim()
    })
  for (let name = await focused(); order.length < 20; name = await focused()) {
    if (name === '' && order.length > 0) return order
    if (name !== '') order.push(name)
    await page.keyboard.press('Tab')
  }
  return order
}

/** Moves the focus by Tab to the element with this selector. @throws Error when Tab does not reach it. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = () =>
    page.locator(selector).evaluateAll((found) => found.some((element) => element === document.activeElement))
  for (let steps = 0; steps < 60; steps++) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${selector}`)
}

/** Goes to the element by Tab, and presses Enter. */
export async function pressEnterAt(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector)
  await page.keyboard.press('Enter')
}

/** The same, and waits until the browser has loaded the page to which it leads. */
export async function followByKeyboard(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector)
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
  await page.waitForLoadState()
}

interface Look {
  /** The background and the text of the page. */
  colors: string
  /** What is not accessible. */
  faults: string[]
}

/** Runs in the page. Basics of WCAG 2.2 AA: language, title, one h1, labels, no sideways scrolling, contrast. */
function look(): Look {
  const styles = [document.documentElement, document.body].map((element) => getComputedStyle(element))
  const colors = styles.map((style) => `${style.backgroundColor} on ${style.color}`).join(', ')
  const faults: string[] = []
  const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const need = (fine: boolean, fault: string) => {
    if (!fine) faults.push(fault)
  }
  need(document.documentElement.lang === 'en', 'the page has no language')
  need(document.title !== '', 'the page has no title')
  need([...document.querySelectorAll('h1')].filter(visible).length === 1, 'there is not exactly one h1')
  need(document.querySelectorAll('main').length === 1, 'there is not exactly one main')
  need(document.documentElement.scrollWidth <= innerWidth, 'the page scrolls sideways')
  for (const field of document.querySelectorAll<HTMLInputElement>('input:not([type=hidden])'))
    need((field.labels?.length ?? 0) > 0, `${field.name} has no label`)
  for (const image of document.querySelectorAll('img'))
    need(image.hasAttribute('alt'), `${image.src} has no alt`)
  for (const target of document.querySelectorAll('button, input:not([type=hidden])'))
    if (visible(target))
      need(target.getBoundingClientRect().height >= 24, `${target.textContent} is too small to hit`)

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (color: string): number[] => {
    if (!canvas) return []
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (color: number[]) => {
    const [r = 0, g = 0, b = 0] = color.map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const background = (element: Element | null): number[] => {
    if (element === null) return [255, 255, 255, 255]
    const color = rgba(getComputedStyle(element).backgroundColor)
    return color[3] === 255 ? color : background(element.parentElement)
  }
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!(text || element instanceof HTMLInputElement) || !visible(element)) continue
    if (element instanceof HTMLButtonElement && element.disabled) continue
    const a = luminance(rgba(getComputedStyle(element).color))
    const b = luminance(background(element))
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    need(
      ratio >= 4.5,
      `${element.tagName} ${element.textContent?.slice(0, 30)}: contrast ${ratio.toFixed(2)}`,
    )
  }
  return { colors, faults }
}
