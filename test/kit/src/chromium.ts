/** Chromium, and how the tests use it. */

import { type Browser, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { PASSWORD, USERNAME } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the executable. */
    chromium: string
  }
}

/** Without background network traffic, such as updates and sync. All pages of a site share a process: a fifth of the processor time. */
const FLAGS = [
  '--renderer-process-limit=1',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Playwright's own limit, 30 seconds, is one that a busy machine exceeds. This one only ends before a test's, so that the error names the step. */
const MAX_STEP_MS = 150_000

export async function launchBrowser(): Promise<Browser> {
  // Chromium refuses its sandbox to root.
  const chromiumSandbox = process.getuid?.() !== 0
  const options = { executablePath: inject('chromium'), headless: true, chromiumSandbox, args: FLAGS }
  const browser = await chromium.launch({ ...options, timeout: MAX_STEP_MS })
  browser.on('context', (context) => context.setDefaultTimeout(MAX_STEP_MS))
  return browser
}

/** Faults that a page reports: script errors, and what its content security policy refused. */
export function watch(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) faults.push(message.text())
  })
  return faults
}

export const signIn = async (page: Page, password = PASSWORD, username = USERNAME): Promise<void> => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * Runs a function in the page, once the page has loaded: a click that leads elsewhere waits only until the answer begins, and then
 * the document has no body yet. @param run Text of a script, or a function that refers to nothing outside of itself.
 */
export async function inPage<Result, Argument = undefined>(
  page: Page,
  run: string | ((argument: Argument) => Result | Promise<Result>),
  argument?: Argument,
): Promise<Result> {
  await page.waitForLoadState()
  return page.evaluate(run as (argument: unknown) => Result | Promise<Result>, argument)
}

/** Clicks, and waits until the browser has loaded the page to which the click leads, at the same address too. */
export async function followButton(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), page.getByRole('button', { name }).click()])
  await page.waitForLoadState()
}

/** The title of the page, once the page has loaded. */
export async function heading(page: Page): Promise<string | null> {
  await page.waitForLoadState()
  return page.getByRole('heading', { level: 1 }).textContent()
}

/** The parameters of the address bar, once the browser is back at the client. */
export async function answerAt(page: Page, redirect_uri: string): Promise<Record<string, string>> {
  await page.waitForURL((url) => url.href.startsWith(`${redirect_uri}?`))
  return Object.fromEntries(new URL(page.url()).searchParams)
}
