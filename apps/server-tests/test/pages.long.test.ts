/** Every page of the provider, light and dark, on a phone and on a desktop: checked, and photographed once a week. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { heading, launchBrowser, signIn, watch } from '@ostiary/test-kit/chromium'
import { type DocumentServer, documentServer } from '@ostiary/test-kit/document-server'
import { eventually } from '@ostiary/test-kit/eventually'
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
let logoHost: LogoHost
let documents: DocumentServer
let browser: Browser

beforeAll(async () => {
  callback = await callbackServer()
  logoHost = await serveLogo()
  documents = await documentServer([EDITOR])
  const env = {
    OIDC_SECRET: SECRET,
    OSTIARY_STORAGE: 'memory',
    OIDC_CLIENTS_REGISTRATION_ENABLED: 'true',
    NODE_EXTRA_CA_CERTS: documents.ca_file,
  }
  server = await startServer({ config: withLogos, env })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await callback.close()
  await logoHost.close()
  await documents.close()
  await server.stop()
})

/** Longer than a phone is wide. */
const EDITOR = 'download.the-extraordinarily-long-named-editor.company.localhost'

/** Scopes enough for a summary on the consent page, one of them sensitive. */
function withManyScopes(port: number) {
  const config = configFor(callback.url)(port)
  const { resources, scopes } = config.oidc
  const notes = ['list', 'share', 'export', 'archive'].map((name) => `notes.${name}`)
  const all = { scopes: [...resources['api/notes'].scopes, ...notes, 'notes.delete'] }
  const sensitive = { 'notes.delete': { description: 'Delete all of your notes', severity: 'high' } }
  return { ...config, oidc: { resources: { 'api/notes': all }, scopes: { ...scopes, ...sensitive } } }
}

interface LogoHost {
  url: string
  close(): Promise<void>
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 48"><rect width="120" height="48" rx="8" fill="#0b6e4f"/>
<circle cx="24" cy="24" r="12" fill="#fff"/><path d="M48 18h56v4H48zM48 28h36v4H48z" fill="#fff"/></svg>`

/** Serves a logo at `/logo.svg`, and a page at every other path. */
async function serveLogo(): Promise<LogoHost> {
  const http = createServer(({ url }, response) =>
    response.end(url === '/logo.svg' ? LOGO : '<html>'),
  ).listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

/** The usual configuration, with documents of this machine, a client that has a logo and links, and one whose logo is missing. */
function withLogos(port: number) {
  const config = withManyScopes(port)
  const client = {
    redirect_uris: [callback.url],
    client_uri: 'https://maps.example/',
    policy_uri: 'https://maps.example/privacy',
    tos_uri: 'https://maps.example/terms',
  }
  const maps = { ...client, client_id: 'maps', client_name: 'Maps', logo_uri: `${logoHost.url}/logo.svg` }
  const missing = { ...maps, client_id: 'missing', logo_uri: `${logoHost.url}/nothing` }
  // The logos and the documents are on this machine.
  const oidc = {
    ...config.oidc,
    clients: { metadata_documents: { enabled: true } },
  }
  return { ...config, oidc, clients: [...config.clients, maps, missing] }
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

it('consent for a client whose client_id is the URL of its metadata, and that runs on this computer', async () => {
  const client_id = documents.url(EDITOR, '/oauth/client.json')
  const redirect_uris = ['http://localhost/callback', callback.url]
  documents.put(client_id, { client_id, client_name: 'Editor by Claude', redirect_uris })
  const page = await open({ client_id })
  const shown = `${new URL(client_id).host} (“Editor by Claude”)`
  expect(await page.locator('h1 + p').textContent()).toBe(`to continue to ${shown}`)
  const origin = `This application is described at ${new URL(client_id).host}.`
  expect(await page.getByText(origin).count()).toBe(1)
  await photograph(page, 'sign-in-document')
  await signIn(page)
  expect(await heading(page)).toBe(`Allow ${shown} to use your account?`)
  expect(await page.getByText(origin).count()).toBe(1)
  expect(await page.getByText('Any program on this computer could be asking in its name.').count()).toBe(1)
  expect(await page.getByText('you will be sent to').textContent()).toContain('(this computer)')
  await photograph(page, 'consent-document')
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

it('a client with a logo and links: sign in and consent, and nothing is loaded from its host', async () => {
  const page = await open({ client_id: 'maps' })
  const logo = page.locator('.logo img')
  // A page waits for a new logo for one second only: the first one may be without it.
  const afterReload = async () => {
    await page.reload()
    return logo.count()
  }
  await eventually(async () => expect(await afterReload()).toBe(1))
  expect(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(
    true,
  )
  await photograph(page, 'sign-in-logo')
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).origin))
  await signIn(page)
  await page.getByRole('heading', { name: 'Allow Maps' }).waitFor()
  await photograph(page, 'consent-logo')
  expect(await page.getByRole('link', { name: 'Privacy policy' }).getAttribute('href')).toBe(
    'https://maps.example/privacy',
  )
  expect(new Set(requests)).toEqual(new Set([server.issuer]))
})

it('a client whose logo is missing has no broken image', async () => {
  const page = await open({ client_id: 'missing' })
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1)
  expect(await page.locator('img').count()).toBe(0)
})

it('the root', async () => {
  const page = await open()
  await page.goto(server.issuer)
  await photograph(page, 'landing')
  await page.getByRole('link', { name: 'Your account' }).click()
  expect(await heading(page)).toBe('Sign in')
})

it('a link that no longer works', async () => {
  const page = await open()
  await page.goto(`${server.issuer}/login?return_to=gone`)
  await photograph(page, 'error')
})
