/** The page of ../clients/oidc-client-ts-dpop in Chromium: its tokens are bound to a key that no script can export. */

import { followButton, inPage, launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { jwtClaims } from '@ostiary/test-kit/jwt'
import { freePort } from '@ostiary/test-kit/ports'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { type ClientWorld, clientWorld, configurationOf } from './clients.ts'
import { type Nonces, startNotesApi } from './notes-api.ts'
import { servePages } from './pages.ts'
import { issued } from './walk-through.ts'

const CLIENT = 'single-page-app'

const button = (page: Page, name: string) => page.getByRole('button', { name })
/** What the library has stored in this tab. */
const storedUser = (page: Page): Promise<{ access_token: string; token_type: string }> =>
  inPage(page, () => {
    const key = Object.keys(sessionStorage).find((key) => key.startsWith('oidc.user:'))
    return JSON.parse(sessionStorage.getItem(key ?? '') ?? '{}')
  })

/** What a script in the page can do with the key that the library has stored. */
const tryToExport = (page: Page) =>
  inPage(
    page,
    async (client_id) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const database = await done(indexedDB.open('oidc'))
      const stored = await done(database.transaction('dpop').objectStore('dpop').get(client_id))
      database.close()
      const { privateKey } = (stored as { keys: CryptoKeyPair }).keys
      const refused = async (format: 'jwk' | 'pkcs8') =>
        crypto.subtle.exportKey(format as 'pkcs8', privateKey).then(
          () => 'exported',
          ({ name }: Error) => name,
        )
      return {
        type: privateKey.type,
        extractable: privateKey.extractable,
        exports: [await refused('jwk'), await refused('pkcs8')],
      }
    },
    CLIENT,
  )

/** The weekly run has both. */
const NONCES: Nonces[] = WEEKLY ? ['off', 'required'] : ['required']

describe.each(NONCES)('nonces %s:', (nonce) => {
  let browser: Browser
  let world: ClientWorld
  let api: string

  beforeAll(async () => {
    api = `http://localhost:${await freePort()}/notes`
    const { oidc, clients } = configurationOf('docs/single-page-app.md')
    browser = await launchBrowser()
    // The library refreshes a token one minute before its end: every four seconds here.
    world = await clientWorld(
      { oidc: { ...oidc, dpop: nonce === 'required' ? 'nonce' : 'on' }, clients },
      {
        changes: { [CLIENT]: { access_token_lifetime: 64, dpop_bound_access_tokens: true } },
        moved: { 'http://localhost:4001/notes': api },
      },
    )
    const { issuer } = world.provider
    const { port, url } = world.app(CLIENT)
    world.onStop(await startNotesApi({ issuer, resource: api, nonce, web_app: url }))
    const moved = { 'http://localhost:3000': issuer, 'http://localhost:4001/notes': api }
    world.onStop(await servePages('oidc-client-ts-dpop', port, moved))
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it('signs in, calls UserInfo and an API, refreshes by itself, survives a reload, signs out', async () => {
    const { url } = world.app(CLIENT)
    const context = await browser.newContext()
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    // The page has its handlers once it has said so.
    const signedOut = (page: Page) => page.getByText('You are not signed in.').waitFor()
    await page.goto(url)
    await signedOut(page)
    const [request] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('/oauth/authorize?')),
      button(page, 'Sign in').click(),
    ])
    const jkt = new URL(request.url()).searchParams.get('dpop_jkt')
    await signIn(page)
    await button(page, 'Allow').click()
    await page.getByText('Hello Ann Example!').waitFor()
    const loadAll = async (page: Page) => {
      await button(page, 'Load notes').click()
      await page.getByText('Buy milk, Call Ben').waitFor()
      await button(page, 'Load user info').click()
      await page.getByText('ann@example.com').waitFor()
    }
    await loadAll(page)
    expect(await tryToExport(page)).toEqual({
      type: 'private',
      extractable: false,
      exports: ['InvalidAccessError', 'InvalidAccessError'],
    })

    // Nothing but the library's own timer causes it.
    const before = await storedUser(page)
    const current = async () => (await storedUser(page)).access_token
    await eventually(async () => expect(await current()).not.toBe(before.access_token))
    const { access_token, token_type } = await storedUser(page)
    expect([token_type, jwtClaims(access_token).cnf]).toEqual(['DPoP', { jkt }])
    await eventually(() => expect(issued(world, CLIENT)).toContain('refresh_token'))
    await page.reload()
    await page.getByText('Hello Ann Example!').waitFor()
    await loadAll(page)

    // What a script could steal is the token alone.
    const stolen = await fetch(api, { headers: { authorization: `Bearer ${access_token}` } })
    expect([stolen.status, await stolen.json()]).toEqual([401, { error: 'invalid_token' }])

    // Another tab has tokens of its own, and the same key.
    const second = await context.newPage()
    await second.goto(url)
    await signedOut(second)
    await button(second, 'Sign in').click()
    await second.getByText('Hello Ann Example!').waitFor()
    await loadAll(second)

    await followButton(page, 'Sign out')
    await signedOut(page)
    // The next refresh of the other tab signs it out too.
    await signedOut(second)
    expect(faults).toEqual([])
    const errors = () => world.provider.logged('request.refused').map(({ error }) => error)
    await eventually(() => expect(errors().includes('use_dpop_nonce')).toBe(nonce === 'required'))
    await context.close()
  })
})
