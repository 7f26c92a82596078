/** A user at an empty machine: a home folder without anything, and a browser. Each step is a line that this user types. */

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { launchBrowser, signIn, watch } from '@ostiary/test-kit/chromium'
import { type Place, type Started, sh, started, userOf } from '@ostiary/test-kit/commands'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import type { Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'

const VERIFIER = 'a-code-verifier-of-forty-three-characters-or-more'

export interface User {
  place: Place
  steps: string[]
  /** `cd` */
  enter(folder: string): void
  run(...command: string[]): Promise<string>
  /** Resolves when the URL answers. The test ends it, if it has not stopped. */
  start(command: string[], url: string): Promise<Started>
}

/** The only setting is the registry, whose address a real user does not need. */
export async function newUser(): Promise<User> {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(home, '.npmrc'), `registry=${inject('published').registry}/\n`)
  const work = join(folder, 'work')
  mkdirSync(work)
  const user: User = {
    place: { cwd: work, env: userOf(home) },
    steps: [],
    enter(folder) {
      user.steps.push(`cd ${folder}`)
      user.place = { ...user.place, cwd: join(user.place.cwd, folder) }
    },
    run(...command) {
      user.steps.push(command.join(' '))
      return sh(user.place, command)
    },
    async start(command, url) {
      user.steps.push(command.join(' '))
      const running = await started(user.place, command, url)
      onTestFinished(running.stop)
      return running
    },
  }
  return user
}

/** The application that asks for the sign-in: its callback answers with a page. @returns Its origin. */
export async function application(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>App</title><h1>Signed in</h1>')
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It has no port')
  return `http://localhost:${address.port}`
}

export async function openBrowser(): Promise<{ page: Page; faults: string[] }> {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await (await browser.newContext()).newPage()
  // `next dev` compiles a page when it is asked for. The time of the test is the limit.
  page.setDefaultTimeout(0)
  return { page, faults: watch(page) }
}

export interface Request {
  issuer: string
  client_id: string
  redirect_uri: string
  /** `openid profile` when absent. */
  scope?: string
  /** The API that the access token is for. */
  resource?: string
  /** Sent with the code alone. */
  client_secret?: string
}

export interface SignedIn {
  access_token: string
  /** Of the ID token. */
  claims: Record<string, unknown>
}

/** Sends the browser to the provider, as the application does. */
export async function authorize(
  page: Page,
  { issuer, client_secret: _, ...request }: Request,
): Promise<void> {
  const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
  const { authorization_endpoint } = discovery as { authorization_endpoint: string }
  const query = new URLSearchParams({
    scope: 'openid profile',
    ...request,
    response_type: 'code',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await page.goto(`${authorization_endpoint}?${query}`)
}

/** Signs in and allows. */
export async function signedIn(page: Page, request: Request, password: string): Promise<SignedIn> {
  await authorize(page, request)
  await signIn(page, password, 'ann')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  return redeemed(page, request)
}

/** Redeems the code in the address bar. */
export async function redeemed(page: Page, request: Request): Promise<SignedIn> {
  const { issuer, client_id, redirect_uri, client_secret } = request
  await page.waitForURL((url) => url.href.startsWith(`${redirect_uri}?`))
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id,
    redirect_uri,
    code_verifier: VERIFIER,
    ...(client_secret !== undefined && { client_secret }),
  }
  const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token, id_token } = (await response.json()) as { access_token: string; id_token: string }
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString('utf8'))
  return { access_token, claims }
}
