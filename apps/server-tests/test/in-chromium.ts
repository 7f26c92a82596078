/** What the tests in Chromium have in common: a browser, an application, a server of the running test, devices. */

import { createHash, randomBytes } from 'node:crypto'
import { answerAt, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import { type Callback, callbackServer, configFor, USERNAME } from '@ostiary/test-kit/server'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { givePassword } from './factor-forms.ts'
import { type InProcess, startInProcess } from './in-process.ts'

const CODE_VERIFIER = randomBytes(32).toString('base64url')

/** An application whose requests need no consent. It is the one of `serve`. */
export const BANK = 'bank'

/** A server, wherever it runs. */
type Issuer = Pick<InProcess, 'issuer'>

/** Starts a browser and an application before the tests of the file. Both end after them. */
export function inChromium() {
  let browser: Browser
  let callback: Callback
  beforeAll(async () => {
    browser = await launchBrowser()
    callback = await callbackServer()
    return async () => {
      await browser.close()
      await callback.close()
    }
  })

  /** A new browser context; faults that the page reports fail the test. */
  async function device(options?: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const faults = watch(page)
    onTestFinished(async () => {
      expect(faults).toEqual([])
      await context.close()
    })
    return page
  }

  return {
    browser: () => browser,
    /** Where the application gets its answers. */
    redirectUri: () => callback.url,
    device,
    /** A server of the running test, in this process. @param more Other parts of the configuration. */
    async serve(identity: object = { second_factor: 'optional' }, more: object = {}): Promise<InProcess> {
      const server = await startInProcess((port) => {
        const config = configFor(callback.url)(port)
        const bank = {
          client_id: BANK,
          client_name: 'The Bank',
          redirect_uris: [callback.url],
          trusted: true,
        }
        const oidc = { ...config.oidc, acr: 'require' }
        return { ...config, oidc, clients: [bank, ...config.clients], identity, ...more }
      })
      onTestFinished(() => server.stop())
      return server
    },
    /** Signed in with the password, at the account page. */
    async signedIn({ issuer }: Issuer, options?: BrowserContextOptions): Promise<Page> {
      const page = await device(options)
      await page.goto(`${issuer}/account`)
      await givePassword(page, USERNAME)
      return page
    },
    authorizeUrl: ({ issuer }: Issuer, parameters: Record<string, string> = {}): string =>
      `${issuer}/oauth/authorize?${new URLSearchParams({
        client_id: BANK,
        redirect_uri: callback.url,
        response_type: 'code',
        scope: 'openid',
        code_challenge_method: 'S256',
        code_challenge: createHash('sha256').update(CODE_VERIFIER).digest('base64url'),
        ...parameters,
      })}`,
    /** The parameters of the answer, once the browser is back at the application. */
    answer: (page: Page): Promise<Record<string, string>> => answerAt(page, callback.url),
    /** The claims of the ID token that the application gets for the code. */
    async idToken({ issuer }: Issuer, code = '', client_id = BANK): Promise<Record<string, unknown>> {
      const form = { client_id, code, redirect_uri: callback.url, code_verifier: CODE_VERIFIER }
      const body = new URLSearchParams({ grant_type: 'authorization_code', ...form })
      const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', body })
      const { id_token } = (await response.json()) as { id_token: string }
      return JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString())
    },
  }
}
