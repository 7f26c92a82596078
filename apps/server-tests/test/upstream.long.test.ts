/** A sign-in at another provider, in Chromium: two servers, of which the first has the second in `identity.upstreams`. */

import { heading, signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { CLIENT_SECRET, configFor, IN_MEMORY, PASSWORD, startTestServer } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { photograph } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri, authorizeUrl, answer, idToken } = inChromium()

/** With another name than the first server: browsers do not tell the cookies of two ports apart. */
async function corpWith(callback: string) {
  const corp = await startTestServer({
    config: (port: number) => ({
      app: { url: `http://127.0.0.1:${port}` },
      clients: [
        { client_id: 'ostiary', client_secret: CLIENT_SECRET, redirect_uris: [callback], trusted: true },
      ],
      users: [
        {
          username: 'eve',
          password: PASSWORD,
          name: 'Eve of Corp',
          preferred_username: 'eve',
          email: 'eve@corp.example',
          email_verified: true,
        },
      ],
    }),
    env: IN_MEMORY,
  })
  return { ...corp, issuer: `http://127.0.0.1:${corp.port}` }
}

/** @param issuer Of the other provider. */
const serverWith = (port: number, issuer: string) =>
  startTestServer({
    port,
    config: {
      ...configFor(redirectUri())(port),
      identity: {
        upstreams: {
          corp: {
            type: 'oidc',
            issuer,
            client_id: 'ostiary',
            client_secret_env: 'CORP_SECRET',
            name: 'Corp',
            signup: true,
            domains: ['corp.example'],
            authoritative_domains: ['corp.example'],
          },
        },
      },
    },
    env: { ...IN_MEMORY, CORP_SECRET: CLIENT_SECRET },
  })

async function twoServers() {
  const port = await freePort()
  const corp = await corpWith(`http://localhost:${port}/login/callback/corp`)
  return { corp, server: await serverWith(port, corp.issuer) }
}

const atCorp = (page: Page) => signIn(page, PASSWORD, 'eve')
const corpButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Corp' })

it('a user who is seen for the first time gets an account, and signs in with one click from then on', async () => {
  const { corp, server } = await twoServers()
  const page = await device()
  const scope = 'openid profile email'
  await page.goto(authorizeUrl(server, { client_id: 'notes', scope }))
  await photograph(page, 'sign-in-with-upstream')
  await corpButton(page).click()
  await page.getByLabel('Username').waitFor()
  expect(new URL(page.url()).host).toBe(new URL(corp.issuer).host)
  await atCorp(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  const { code } = await answer(page)
  const claims = await idToken(server, code ?? '', 'notes')
  expect(claims).toMatchObject({ iss: server.issuer, email: 'eve@corp.example', email_verified: true })
  expect(claims).not.toHaveProperty('amr')
  const sub = String(claims.sub)
  await eventually(() => expect(server.logged('user.signed_up')).toMatchObject([{ sub, upstream: 'corp' }]))

  await page.goto(`${server.issuer}/account`)
  await page.getByRole('heading', { name: 'Linked accounts' }).waitFor()
  expect(await page.textContent('main')).not.toContain('There is no other way to sign in')
  await photograph(page, 'account-with-link')
  // The session there goes on: nothing is typed.
  await page.context().clearCookies({ domain: 'localhost' })
  await page.goto(authorizeUrl(server, { client_id: 'notes', scope }))
  await corpButton(page).click()
  const again = await answer(page)
  expect(await idToken(server, again.code ?? '', 'notes')).toMatchObject({ sub })
})

it('a user with a password links the account there on the account page, and then signs in with it', async () => {
  const { server } = await twoServers()
  const page = await device()
  await page.goto(`${server.issuer}/account`)
  await signIn(page)
  await page.getByRole('button', { name: /Corp/ }).click()
  await page.getByLabel('Username').waitFor()
  await atCorp(page)
  await page.waitForURL(`${server.issuer}/account`)
  await eventually(() => expect(server.logged('link.added')).toMatchObject([{ upstream: 'corp' }]))

  const other = await device()
  await other.goto(`${server.issuer}/account`)
  await corpButton(other).click()
  await other.getByLabel('Username').waitFor()
  await atCorp(other)
  await other.waitForURL(`${server.issuer}/account`)
  expect(await other.getByText('ann@example.com').count()).toBeGreaterThan(0)
})

it('without an answer of the provider, its button leads to a page that says so, and the password signs in', async () => {
  const server = await serverWith(await freePort(), `http://127.0.0.1:${await freePort()}`)
  const page = await device()
  await page.goto(`${server.issuer}/account`)
  await corpButton(page).click()
  expect(await heading(page)).toBe('The sign-in with Corp did not work')
  expect(await page.textContent('main')).toContain('Corp cannot be reached at the moment.')
  await photograph(page, 'upstream-unreachable')
  await page.goto(`${server.issuer}/account`)
  await signIn(page)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await eventually(() =>
    expect(server.logged('login.refused')).toMatchObject([
      { reason: 'upstream_unreachable', upstream: 'corp' },
    ]),
  )
})
