/** The built site: its links, its search with questions of newcomers, and its pages on a phone, in the dark and for assistive technology. */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inPage, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileAt, serveSite } from './site-server.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const SITE = join(PACKAGE, '.vitepress/dist')

let browser: Browser
let url: string

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'site'], { cwd: PACKAGE })
  const site = await serveSite(SITE)
  url = site.url
  browser = await launchBrowser()
  return async () => {
    await browser.close()
    await site.close()
  }
})

const PAGES = (): string[] =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.html') && !path.startsWith('api/') && path !== '404.html',
  )

describe('links', () => {
  it('lead to pages and headings that exist', () => {
    const ids = new Map<string, Set<string>>()
    const idsOf = (file: string) => {
      const known = ids.get(file) ?? new Set(readFileSync(file, 'utf8').match(/(?<= id=")[^"]*/g))
      ids.set(file, known)
      return known
    }
    const dead = PAGES().flatMap((page) => {
      const text = readFileSync(join(SITE, page), 'utf8')
      const hrefs = text.match(/(?<=<a [^>]*href=")[^"]*/g) ?? []
      return hrefs.flatMap((href) => {
        const target = new URL(href, `http://site/${page}`)
        if (target.host !== 'site') return []
        const file = href.startsWith('#') ? join(SITE, page) : fileAt(SITE, target.pathname)
        const anchor = decodeURIComponent(target.hash.slice(1))
        const is_there = file !== null && (anchor === '' || idsOf(file).has(anchor))
        return is_there ? [] : [`${page}: ${href}`]
      })
    })
    expect([...new Set(dead)]).toEqual([])
  })
})

/** What newcomers look for, and the section that answers it. */
const QUESTIONS = [
  ['add a user', '/questions#add-a-user'],
  ['forgot the password', '/questions#a-forgotten-password'],
  ['change the logo', '/questions#change-the-logo-the-name-or-the-colors'],
  ['add a claim', '/questions#add-a-claim'],
  ['call my API', '/questions#call-my-api'],
  ['sign out everywhere', '/questions#sign-out-everywhere'],
  ['move users from Auth0', '/questions#move-users-from-auth0-keycloak-or-another-provider'],
  ['run two servers', '/questions#run-two-servers'],
  ['rotate keys', '/commands#keys-rotate'],
  ['connect Claude', '/questions#connect-claude-cursor-vs-code-or-chatgpt'],
] as const

async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(url + path)
  return page
}

describe('the search', () => {
  it.each(QUESTIONS)('answers "%s" on the first try', async (question, answer) => {
    const page = await open('/')
    const faults = watch(page)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill(question)
    const first = page.locator('.VPLocalSearchBox .result').first()
    await first.waitFor()
    expect(await first.getAttribute('href')).toBe(answer)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

/** The rules of axe that the page breaks, with the first element of each. */
async function faultsOf(page: Page): Promise<string[]> {
  await inPage(page, axe.source)
  // Of what passes, axe would describe each element too: on a long page that takes longer than the rules.
  const { violations } = await inPage(page, () =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

describe('the pages', () => {
  it.each([
    ['in light', 'light', { width: 1280, height: 900 }],
    ['in the dark on a phone', 'dark', { width: 320, height: 700 }],
  ] as const)('%s have no fault that axe finds', async (_, colorScheme, viewport) => {
    for (const path of ['/', '/getting-started', '/configuration', '/comparison', '/packages/core/']) {
      const page = await open(path, { colorScheme, viewport })
      expect(await faultsOf(page), `${path} at ${viewport.width}`).toEqual([])
      const width = await inPage(page, () => document.documentElement.scrollWidth)
      expect(width, path).toBeLessThanOrEqual(viewport.width)
      await page.context().close()
    }
  })
})
