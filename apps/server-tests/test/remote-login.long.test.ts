/** `ostiary login` and `ostiary logout` on another computer: answers that are not its own, other settings of the server, and what ends a sign-in. */

import { writeFile } from 'node:fs/promises'
import type { CleanUp } from '@ostiary/test-kit/database'
import { PASSWORD } from '@ostiary/test-kit/server'
import { afterAll, expect, it, vi } from 'vitest'
import { computer, type RemotePlace, remotePlace, signInByBrowser } from './remote-server.ts'

vi.setConfig({ testTimeout: 300_000 })

/** A server with the default settings for the tests that change nothing of it but by a sign-in, each from a computer of its own. */
let shared: Promise<RemotePlace> | undefined
const cleanUps: Parameters<CleanUp>[0][] = []
afterAll(async () => {
  for (const clean of cleanUps.reverse()) await clean()
})
function sharedPlace(): Promise<RemotePlace> {
  shared ??= remotePlace({}, {}, { addCleanup: (clean) => cleanUps.push(clean) })
  return shared
}

it('the configuration owns the client: an owner does not change it by the API', async () => {
  const place = await sharedPlace()
  const { issuer } = place.server
  const own = await computer()
  await signInByBrowser(place, own)
  expect(await own.stored(issuer)).toMatchObject({ dpop_key: null })
  const changed = await own.request(issuer, 'PATCH /realms/default/clients/ostiary-cli?overwrite=true', {
    redirect_uris: ['https://evil.example.com/'],
  })
  expect(changed).toMatchObject({
    name: 'AdminApiError',
    message: 'Change it in the configuration, at admin.enabled, and reload the server',
    problem: { type: 'urn:ostiary:problem:owned_by_configuration' },
  })
})

it('waits for the answer with its state, and refuses that of another issuer', async () => {
  const place = await sharedPlace()
  const { issuer } = place.server
  const own = await computer()
  const { url, end } = await own.login(issuer)
  const browser = place.browser()
  const { url: back } = await place.signIn(browser, await browser.open(url))
  const changed = (name: string, value: string | null) => {
    const other = new URL(back)
    if (value === null) other.searchParams.delete(name)
    else other.searchParams.set(name, value)
    return other
  }
  const doubled = new URL(back)
  doubled.searchParams.append('state', 'x')
  for (const wrong of [changed('state', 'x'), changed('state', null), doubled])
    expect((await fetch(wrong)).status).toBe(400)
  expect((await fetch(new URL('/other', back))).status).toBe(404)
  expect((await fetch(back, { method: 'POST' })).status).toBe(404)
  expect((await fetch(back)).status).toBe(200)
  expect(await end).toMatchObject({ code: 0 })
  for (const iss of ['https://evil.example.com', null]) {
    const second = await own.login(issuer)
    const { url: answer } = await place.signIn(browser, await browser.open(second.url))
    if (iss === null) answer.searchParams.delete('iss')
    else answer.searchParams.set('iss', iss)
    expect(await (await fetch(answer)).text()).toContain('has failed')
    expect(await second.end).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('from another server'),
    })
  }
})

it('refuses a code of another server', async () => {
  const [place, other] = [await sharedPlace(), await remotePlace()]
  const own = await computer()
  const there = await own.login(other.server.issuer)
  const browser = other.browser()
  const { url: answer } = await other.signIn(browser, await browser.open(there.url))
  const here = await own.login(place.server.issuer)
  const own_answer = new URL(here.url.searchParams.get('redirect_uri') ?? '')
  own_answer.search = `${new URLSearchParams({
    code: answer.searchParams.get('code') ?? '',
    state: here.url.searchParams.get('state') ?? '',
    iss: place.server.issuer,
  })}`
  await fetch(own_answer)
  expect(await here.end).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid_grant') })
  await fetch(answer)
  expect(await there.end).toMatchObject({ code: 0 })
  expect(await own.run('login')).toMatchObject({ stdout: expect.not.stringContaining(place.server.issuer) })
})

it('says what was refused: by the user, and by the server where the sign-in is too weak', async () => {
  const place = await remotePlace()
  const own = await computer()
  const { url, end } = await own.login(place.server.issuer)
  const browser = place.browser()
  await fetch((await place.signIn(browser, await browser.open(url), 'deny')).url)
  expect(await end).toMatchObject({ code: 1, stderr: expect.stringContaining('was refused in the browser') })
})

it('does not take a sign-in with a password alone, where the server does not require more', async () => {
  const place = await remotePlace({ acr: 'tell' })
  const own = await computer()
  await place.quick('user create bob --password-stdin', { stdin: PASSWORD })
  const { url, end } = await own.login(place.server.issuer)
  const browser = place.browser()
  const asked = await browser.submit(await browser.open(url), { username: 'bob', password: PASSWORD })
  await fetch((await browser.submit(asked)).url)
  expect(await end).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('with a passkey or a second factor'),
  })
  expect(await own.run('login')).toMatchObject({ stdout: '' })
})

it('signs in where requests have to be pushed', async () => {
  const place = await remotePlace({ par: 'required', dpop: 'on' })
  const own = await computer()
  expect(await signInByBrowser(place, own)).toMatchObject({ code: 0 })
  // Commands at the same time refresh one after the other.
  const line = 'GET /realms/default/users/ann-1'
  const ends = await Promise.all(Array.from({ length: 4 }, () => own.requestAlone(place.server.issuer, line)))
  expect(ends.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await own.request(place.server.issuer, 'GET /realms/default/users')).toMatchObject({ status: 200 })
})

it('signs in by a browser on another device, where the server has the grant for it', async () => {
  const place = await remotePlace({ clients: { device_authorization: 'operator' }, dpop: 'nonce' })
  const { issuer } = place.server
  const own = await computer()
  const { url, code, end } = await own.device(issuer)
  const browser = place.browser()
  const typed = await browser.submit(await browser.open(url), { user_code: code })
  const asked = await browser.submit(await place.signIn(browser, typed), { user_code: code })
  expect(asked.html).toContain(code)
  const done = await browser.submit(asked, { answer: 'allow' })
  expect(done.status).toBe(200)
  expect(await end).toMatchObject({ code: 0, stdout: `Signed in to ${issuer} as ann\n` })
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({ status: 200 })
  const without = await sharedPlace()
  expect(await own.run(`login ${without.server.issuer} --device`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('set oidc.clients.device_authorization'),
  })
})

it('does not use a file that others can read, or that is none', async () => {
  const place = await sharedPlace()
  const { issuer } = place.server
  const own = await computer()
  await signInByBrowser(place, own)
  for (const mode of [0o640, 0o604]) {
    await own.allow(mode)
    const refused = `chmod 600 ${own.file}`
    expect(await own.run('login')).toMatchObject({ code: 1, stderr: expect.stringContaining(refused) })
    expect(await own.request(issuer, 'GET /realms')).toMatchObject({
      message: expect.stringContaining(refused),
    })
  }
  await own.allow(0o600)
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({ status: 200 })
  await writeFile(own.file, '{}')
  expect(await own.run('login')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a file of sign-ins'),
  })
})

it('says what to do when the sign-in has ended, is too old, or has no role any more', async () => {
  const place = await remotePlace()
  const { issuer } = place.server
  const own = await computer()
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({
    name: 'LoginError',
    message: `You are not signed in to ${issuer}: run ostiary login ${issuer}`,
  })
  await signInByBrowser(place, own)
  const age = (seconds: number) =>
    place.executor.query(`update oidc_grants set auth_time = auth_time - ${seconds}`, [])
  await age(301)
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({ status: 200 })
  const recent = await own.request(issuer, 'POST /realms/default/keys', {})
  expect(recent).toMatchObject({
    name: 'AdminApiError',
    message: expect.stringContaining(`run ostiary login ${issuer} --fresh`),
  })
  await age(3600)
  const old = await own.request(issuer, 'GET /realms/default/users')
  expect(old.message).toContain(`run ostiary login ${issuer}, and`)
  // The browser is signed in; a new sign-in is good for everything.
  const browser = place.browser()
  expect((await signInByBrowser(place, own, { browser })).code).toBe(0)
  expect((await signInByBrowser(place, own, { browser, more: ' --fresh' })).code).toBe(0)
  expect(await own.request(issuer, 'POST /realms/default/keys', {})).toMatchObject({ status: 201 })
  await place.executor.query('delete from oidc_roles', [])
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({ name: 'AdminApiError' })
  await place.storage.grants.revoke({ sub: 'ann-1' }, Math.floor(Date.now() / 1000))
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({
    name: 'LoginError',
    message: expect.stringMatching(/has ended, .*: run ostiary login http/),
  })
})

it('a server that cannot be reached: requests fail, and a sign-out removes the sign-in here', async () => {
  const place = await remotePlace()
  const { issuer } = place.server
  const own = await computer()
  await signInByBrowser(place, own)
  await place.server.stop()
  const refused = `${issuer} cannot be reached: `
  expect(await own.request(issuer, 'GET /realms/default/users')).toMatchObject({
    name: 'LoginError',
    message: expect.stringContaining(refused),
  })
  expect(await own.run(`login ${issuer}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(refused),
  })
  expect(await own.run(`logout ${issuer}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(refused),
  })
  expect(await own.run('login')).toMatchObject({ stdout: '' })
})
