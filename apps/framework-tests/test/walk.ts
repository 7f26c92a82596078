/** One user's way through an application: sign in, call the API, refresh, reload, sign out. And what the user sees when it goes wrong. */

import { signIn, watch } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Locator, Page, Response } from 'playwright-core'
import { expect } from 'vitest'
import type { Application } from './application.ts'

/** A button or a link with this text. */
const control = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))

async function readNotes(page: Page): Promise<void> {
  await control(page, 'Load notes').click()
  await page.getByText('Buy milk, Call Ben').waitFor()
}

export async function walkThrough(application: Application): Promise<void> {
  const { url, browser, server } = application
  const page = await (await browser.newContext()).newPage()
  const faults = watch(page)
  const greeting = page.getByText('Hello Ann Example!')

  await page.goto(url)
  await control(page, 'Sign in').click()
  await signIn(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await greeting.waitFor()
  expect(page.url()).toBe(`${url}/`)
  await readNotes(page)

  await refresh(page, application)
  await page.goto(url)
  await greeting.waitFor()
  await readNotes(page)

  await page.goto(url)
  await control(page, 'Sign out').click()
  await control(page, 'Sign in').waitFor()
  expect(new URL(page.url()).origin).toBe(url)
  await control(page, 'Sign in').click()
  // The session at Ostiary has ended too: it asks for the password.
  await page.getByLabel('Username').waitFor()
  expect(new URL(page.url()).origin).toBe(server.issuer)
  await signIn(page)
  await greeting.waitFor()
  await endElsewhere(page, application)
  expect(faults).toEqual([])
  await page.context().close()
}

/** The session ends at Ostiary alone: the application notices it when it refreshes, and the user signs in again. */
async function endElsewhere(page: Page, { runs_in, url, server }: Application): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(`${server.issuer}/oauth/logout`)
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
  await tab.getByText('You are signed out').waitFor()
  const asks = page.getByLabel('Username').or(control(page, 'Sign in'))
  await eventually(async () => {
    if (runs_in === 'server') {
      await page.goto(url)
      await control(page, 'Load notes').or(asks).first().click()
    }
    return (await asks.count()) > 0
  })
}

const isRefresh = (response: Response) =>
  response.request().postData()?.includes('grant_type=refresh_token') ?? false

/** Waits until the application has refreshed, and calls the API with the new token. */
async function refresh(page: Page, { runs_in, url, server }: Application): Promise<void> {
  if (runs_in === 'server') {
    await eventually(async () => {
      await page.goto(url)
      await readNotes(page)
      return server.logged('token.issued').some((event) => event.grant_type === 'refresh_token')
    })
    return
  }
  const { access_token } = await (await page.waitForResponse(isRefresh, { timeout: 0 })).json()
  await eventually(async () => {
    const [request] = await Promise.all([page.waitForRequest(/\/notes$/), readNotes(page)])
    return (await request.headerValue('authorization')) === `Bearer ${access_token}`
  })
}

export interface Mistake {
  /** A file, a part of it, and what is there instead. */
  change: [file: string, from: string, to: string]
  /** What the user does before it goes wrong: nothing after a click on "Sign in" when absent. */
  before?: 'sign in' | 'sign in and reload'
  /** Words that the user sees then; "What goes wrong" of the page has them too. */
  shows: string
}

/** Builds and starts the application with the mistake, which it keeps. */
export async function goesWrong(application: Application, mistake: Mistake): Promise<void> {
  const { url, browser, text, project } = application
  expect(text.goes_wrong).toContain(mistake.shows)
  project.edit(...mistake.change)
  await project.start()
  const page = await browser.newPage()
  await page.goto(url)
  await control(page, 'Sign in').click()
  // The user has allowed it before.
  if (mistake.before !== undefined) await signIn(page)
  if (mistake.before === 'sign in and reload') {
    await page.getByText('Hello Ann Example!').waitFor()
    await page.reload()
  }
  await eventually(async () => expect(await page.textContent('body')).toContain(mistake.shows))
  await page.context().close()
}
