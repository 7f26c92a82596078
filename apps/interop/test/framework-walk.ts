/** One user's way through the application of a page of docs/frameworks, which has three links. */

import { signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FrameworkPage } from './framework-page.ts'
import { silentSignIn } from './silent-sign-in.ts'
import { issued } from './walk-through.ts'

export interface Walk {
  client_id: string
  /** What the answer of the API contains. */
  notes: string
  redirect_path?: string
}

/** Signs in, is greeted, calls the API until a token was refreshed, and signs out. */
export async function walkFramework(browser: Browser, page: FrameworkPage, walk: Walk): Promise<void> {
  const { client_id, notes, redirect_path = '/callback' } = walk
  const { app, api, world } = page
  const before = issued(world, client_id).length
  const context = await browser.newContext()
  const tab = await context.newPage()
  const link = (name: string) => tab.getByRole('link', { name, exact: true })

  await tab.goto(app)
  await link('Sign in').click()
  await signIn(tab)
  // The consent of an earlier walk counts.
  const allow = tab.getByRole('button', { name: 'Allow' })
  await allow.or(link('Sign out')).waitFor()
  if (await allow.isVisible()) await allow.click()
  await link('Sign out').waitFor()
  expect(await bodyOf(tab)).toContain('Hello Ann Example!')

  await eventually(async () => {
    await tab.goto(app)
    await link('Notes').click()
    await tab.waitForURL('**/notes')
    expect(await bodyOf(tab)).toContain(notes)
    expect(issued(world, client_id).slice(before, before + 2)).toEqual([
      'authorization_code',
      'refresh_token',
    ])
  })

  const request = {
    issuer: world.provider.issuer,
    client_id,
    redirect_uri: app + redirect_path,
    resource: api,
  }
  expect(await silentSignIn(context, request)).toHaveProperty('code')
  await tab.goto(app)
  await link('Sign out').click()
  await tab.waitForURL(`${app}/`)
  await link('Sign in').waitFor()
  expect(await silentSignIn(context, request)).toMatchObject({ error: 'login_required' })
  await context.close()
}

const bodyOf = async (tab: Page): Promise<string> => (await tab.textContent('body')) ?? ''
