/** Every page of the provider, light and dark, on a phone and on a desktop: photographed and checked. */

import { heading, launchBrowser, signIn, watch } from '@ostiary/test-kit/chromium'
import {
  type Callback,
  callbackServer,
  configFor,
  SECRET,
  type ServerProcess,
  startServer,
} from '@ostiary/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { photograph } from './photograph.ts'

let server: ServerProcess
let callback: Callback
let browser: Browser

beforeAll(async () => {
  callback = await callbackServer()
  const env = { OIDC_SECRET: SECRET, OSTIARY_STORAGE: 'memory', OIDC_CLIENTS_REGISTRATION_ENABLED: 'true' }
  server = await startServer({ config: withManyScopes, env })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await callback.close()
  await server.stop()
})

/** Scopes enough for a summary on the consent page, one of them sensitive. */
function withManyScopes(port: number) {
  const config = configFor(callback.url)(port)
  const { resources, scopes } = config.oidc
  const notes = ['list', 'share', 'export', 'archive'].map((name) => `notes.${name}`)
  const all = { scopes: [...resources['api/notes'].scopes, ...notes, 'notes.delete'] }
  const sensitive = { 'notes.delete': { description: 'Delete all of your notes', severity: 'high' } }
  return { ...config, oidc: { resources: { 'api/notes': all }, scopes: { ...scopes, ...sensitive } } }
}

async function open(parameters: Record<string, string> = {}): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const faults = watch(page)
  onTestFinished(async () => {
    expect(faults).toEqual([])
    await context.close()
  })
  const query = new URLSearchParams({
    client_id: 'notes',
    redirect_uri: callback.url,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  })
  await page.goto(`${server.issuer}/oauth/authorize?${query}`)
  return page
}

it('sign in, and again after a wrong password', async () => {
  const page = await open()
  await photograph(page, 'sign-in')
  await signIn(page, 'not the password')
  await photograph(page, 'sign-in-wrong')
})

it('sign in with prompt=login', async () => {
  const page = await open()
  await signIn(page)
  await page.goto(page.url().replace(/\/oauth\/.*/, `/oauth/authorize?${promptLogin()}`))
  expect(await heading(page)).toBe('Sign in')
  await photograph(page, 'sign-in-again')
})

const promptLogin = () =>
  new URLSearchParams({
    client_id: 'notes',
    redirect_uri: callback.url,
    response_type: 'code',
    scope: 'openid',
    prompt: 'login',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })

it('consent', async () => {
  const page = await open()
  await signIn(page)
  await photograph(page, 'consent')
})

it('consent for a resource, to a client that registered itself under a long name', async () => {
  const client_name = 'The Extraordinarily Long-Named Assistant of Lopado-temacho-selacho-galeo & <b>Sons</b>'
  const response = await fetch(`${server.issuer}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ client_name, redirect_uris: [callback.url] }),
  })
  const { client_id } = (await response.json()) as { client_id: string }
  const resource = `${server.issuer}/api/notes`
  const page = await open({
    client_id,
    resource,
    scope:
      'openid profile email address phone notes.read notes.write notes.list notes.share notes.export notes.archive notes.delete',
  })
  const shown = '“The Extraordinarily Long-Named Assistant of Lopado-temacho-…”'
  expect(await page.locator('h1 + p').textContent()).toBe(`to continue to ${shown}`)
  expect(await page.getByText('This application registered itself.').count()).toBe(1)
  expect(await page.getByText('you will be sent to').textContent()).toContain('(this computer)')
  await photograph(page, 'sign-in-registered-itself')
  await signIn(page)
  expect(await heading(page)).toBe(`Allow ${shown} to use your account?`)
  expect(await page.locator('h2').first().textContent()).toBe('It asks for sensitive access')
  expect(await page.getByText('Delete all of your notes').isVisible()).toBe(true)
  expect(await page.getByText('See your phone number').isVisible()).toBe(false)
  await photograph(page, 'consent-resource')
  // The summary opens by keyboard, without a script.
  await page.getByText('Show 6 more').press('Enter')
  expect(await page.getByText('See your phone number').isVisible()).toBe(true)
  await photograph(page, 'consent-resource-more')
})

it('sign out: the question and the page after it', async () => {
  const page = await open()
  await signIn(page)
  await page.goto(`${server.issuer}/oauth/logout`)
  await photograph(page, 'sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await photograph(page, 'signed-out')
})

it('a link that no longer works', async () => {
  const page = await open()
  await page.goto(`${server.issuer}/login?return_to=gone`)
  await photograph(page, 'error')
})
