/** A sign-in at a provider that is not ours, in Chromium: oidc-provider, as its operator would set it up for one client. */

import { heading, signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import { CLIENT_SECRET, configFor, IN_MEMORY, startTestServer } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { startOtherProvider } from './other-provider.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri, authorizeUrl, answer, idToken } = inChromium()

const ACCOUNTS = {
  'other-1': { email: 'eve@corp.example', email_verified: true, name: 'Eve', preferred_username: 'eve' },
  // The address of a user who is here already, not verified there.
  'other-2': { email: 'ann@example.com', email_verified: false, name: 'Ann?', preferred_username: 'ann' },
}

async function serverWithOther() {
  const [port, at] = [await freePort(), await freePort()]
  const issuer = await startOtherProvider(at, {
    callback: `http://localhost:${port}/login/callback/other`,
    accounts: ACCOUNTS,
  })
  const upstream = {
    type: 'oidc',
    issuer,
    client_id: 'ostiary',
    client_secret_env: 'OTHER_SECRET',
    name: 'Other',
    signup: true,
    link: 'verified_email',
    authoritative_domains: ['corp.example', 'example.com'],
  }
  const server = await startTestServer({
    port,
    config: { ...configFor(redirectUri())(port), identity: { upstreams: { other: upstream } } },
    env: { ...IN_MEMORY, OTHER_SECRET: CLIENT_SECRET },
  })
  return server
}

async function signInThere(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Other' }).click()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Go on' }).click()
}

it('signs in for an application: the first time with a new account, then with the same one', async () => {
  const server = await serverWithOther()
  const url = () => authorizeUrl(server, { client_id: 'notes', scope: 'openid profile email' })
  const page = await device()
  await page.goto(url())
  await signInThere(page, 'other-1')
  await page.getByRole('button', { name: 'Allow' }).click()
  const claims = await idToken(server, (await answer(page)).code ?? '', 'notes')
  expect(claims).toMatchObject({ iss: server.issuer, email: 'eve@corp.example', email_verified: true })
  await eventually(() => expect(server.logged('user.signed_up')).toMatchObject([{ upstream: 'other' }]))

  const elsewhere = await device()
  await elsewhere.goto(url())
  await signInThere(elsewhere, 'other-1')
  const again = await idToken(server, (await answer(elsewhere)).code ?? '', 'notes')
  expect(again.sub).toBe(claims.sub)
})

it('does not lead to the account that has the address which it has not verified', async () => {
  const server = await serverWithOther()
  const page = await device()
  await page.goto(`${server.issuer}/account`)
  await signInThere(page, 'other-2')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  expect(await page.textContent('main')).toContain('Linked accounts')
  // A new account with the link, beside the one of Ann, who still signs in with her password.
  await eventually(() => expect(server.logged('link.added')).toHaveLength(1))
  await eventually(() => {
    const [created] = server.logged('user.signed_up')
    expect(server.logged('link.added')).toMatchObject([{ sub: created?.sub, upstream: 'other' }])
  })
  const ann = await device()
  await ann.goto(`${server.issuer}/account`)
  await signIn(ann)
  expect(await heading(ann)).toBe('Your account')
  // What adds the link: there is none.
  expect(await ann.getByRole('button', { name: /Other/ }).count()).toBe(1)
})
