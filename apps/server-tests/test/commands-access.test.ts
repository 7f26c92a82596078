/** Commands that show and end a user's grants, sessions and throttles, on a PostgreSQL. */

import { counterOf, createProvider, type RealmStorage } from '@ostiary/core'
import { createIdentity, memoryUserStores } from '@ostiary/identity'
import { memoryMailQueue } from '@ostiary/identity/mail'
import { SECRET } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import {
  database,
  giveGrant,
  idOf,
  makeAnn,
  makeKey,
  NOW,
  nextWindow,
  START,
  startSession,
} from './commands.ts'

// Each starts processes, which are slow on a busy machine.
vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

const API = 'https://id.example.com/api'

const grantIds = async (storage: RealmStorage): Promise<string[]> =>
  (await storage.grants.list('ann-1', NOW)).map(({ grant_id }) => grant_id).sort()

type CleanUp = Parameters<typeof database>[0]

/** Ann, with two sessions and three grants, one of them offline. */
async function ann(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  await makeAnn(made.users)
  for (const sid of ['s-1', 's-2']) await startSession(made.storage, sid)
  await giveGrant(made.storage, 'g-1')
  await giveGrant(made.storage, 'g-2', { client_id: 'mail', offline: true })
  await giveGrant(made.storage, 'g-3', { resource: API })
  return made
}

describe('grant', () => {
  it.concurrent('list and revoke, by client and resource, or all', async ({ onTestFinished }) => {
    const { ostiary, quick, json, storage } = await ann(onTestFinished)
    const listed = await ostiary('grant list ann')
    expect(listed.stdout).toMatch(/^CLIENT +RESOURCE +SCOPES +SINCE +UNTIL +OFFLINE$/m)
    expect(listed.stdout).toMatch(/^mail +- +openid +\S+Z +\S+Z +offline$/m)
    expect(listed.stdout).toMatch(/^notes +https:\/\/id\.example\.com\/api +openid +\S+Z +\S+Z +-$/m)
    expect((await json('grant list --sub ann-1', quick)).grants).toHaveLength(3)

    const revoked = await json(`grant revoke ann --client notes --resource ${API}`)
    expect(revoked).toEqual({ sub: 'ann-1', client_id: 'notes', resource: API, revoked: 1 })
    expect(await grantIds(storage)).toEqual([idOf('g-1'), idOf('g-2')])
    expect(await quick('grant revoke ann --client other')).toMatchObject({
      code: 3,
      stderr: 'ostiary: There is no such grant of ann, or it has ended\n',
    })
    expect(await quick('grant revoke ann')).toMatchObject({ code: 0, stdout: 'Revoked: 2\n' })
    expect(await grantIds(storage)).toEqual([])
    expect(await quick('grant revoke ann')).toMatchObject({ code: 3, stdout: '' })
    expect(await quick('grant list nobody')).toMatchObject({ code: 3, stdout: '' })
  })

  it.concurrent('ends with the consent', async ({ onTestFinished }) => {
    const { quick, storage } = await ann(onTestFinished)
    const approved = [{ resource: API, scopes: ['openid'] }]
    await storage.consents.merge({ sub: 'ann-1', client_id: 'notes', approved }, NOW)
    expect(await quick(`consent revoke ann notes --resource ${API}`)).toMatchObject({ code: 0 })
    expect(await grantIds(storage)).toEqual([idOf('g-1'), idOf('g-2')])
  })
})

describe('sessions and grants of an account', () => {
  it.concurrent('session end --user: sessions and their grants; a note names the offline ones', async ({
    onTestFinished,
  }) => {
    const { quick, storage } = await ann(onTestFinished)
    await giveGrant(storage, 'g-4', { client_id: 'mail' })
    expect(await quick('session end --user ann')).toMatchObject({
      code: 0,
      stdout: 'Ended: sessions 2, grants 3\n',
      stderr: '1 offline grant of ann left; to revoke: ostiary grant revoke ann\n',
    })
    expect(await grantIds(storage)).toEqual([idOf('g-2')])
    await quick('grant revoke ann')
    expect(await quick('session end --user ann')).toMatchObject({
      stdout: 'Ended: sessions 0, grants 0\n',
      stderr: '',
    })
  })

  it.concurrent('session end --user finds grants whose sessions are lost', async ({ onTestFinished }) => {
    const { quick, json, storage } = await ann(onTestFinished)
    await storage.sessions.end(idOf('s-1'), NOW, 30)
    await storage.sessions.forget(idOf('s-1'))
    const { ended, grants } = await json('session end --user ann', quick)
    expect({ ended, grants }).toEqual({ ended: [idOf('s-2')], grants: 2 })
  })

  it.concurrent('user set-password: sessions and grants, unless they are to be kept', async ({
    onTestFinished,
  }) => {
    const { ostiary, quick, json, storage } = await ann(onTestFinished)
    const kept = await json('user set-password ann --keep-access', quick)
    expect(kept).toEqual({ username: 'ann', sub: 'ann-1', password: expect.any(String) })
    expect(await grantIds(storage)).toHaveLength(3)
    expect(await storage.sessions.list('ann-1')).toHaveLength(2)
    const set = await ostiary('user set-password ann')
    expect(set.stdout).toMatch(/^Ended: sessions 2, grants \d$/m)
    expect(await grantIds(storage)).toEqual([])
    expect(await storage.sessions.list('ann-1')).toEqual([])
  })

  it.concurrent('user disable: sessions and grants, unless they are to be kept', async ({
    onTestFinished,
  }) => {
    const { quick, json, storage } = await ann(onTestFinished)
    const kept = await json('user disable ann --keep-access', quick)
    expect(kept).toEqual({ sub: 'ann-1', username: 'ann', state: 'disabled', changed: true })
    expect(await grantIds(storage)).toHaveLength(3)
    const again = await quick('user disable ann')
    expect(again.stdout).toMatch(/^ann was disabled already\nEnded: sessions 2, grants \d\n$/)
    expect(await grantIds(storage)).toEqual([])
    expect(await quick('user enable ann')).toMatchObject({ stdout: 'ann is enabled\n' })
  })
})

describe('keys revoke', () => {
  it.concurrent('withdraws a key and leaves one that signs', async ({ onTestFinished }) => {
    const { ostiary, quick, json, storage } = await database(onTestFinished)
    await makeKey(storage)
    const [leaked] = await storage.keys.list()
    const revoked = await ostiary(`keys revoke --yes -- ${leaked?.kid}`)
    expect(revoked).toMatchObject({
      code: 0,
      stdout: `${leaked?.kid} is revoked\n`,
      stderr:
        'APIs that cache the JWKS trust the key for up to an hour more; restart them to fetch it at once.\n',
    })
    const { keys } = await json('keys list', quick)
    expect(keys).toHaveLength(1)
    expect(keys[0].kid).not.toBe(leaked?.kid)
    expect(await quick(`keys revoke --yes -- ${leaked?.kid}`)).toMatchObject({ code: 3, stdout: '' })
    expect(await storage.keys.list()).toHaveLength(1)
  })
})

/** A wrong password at the sign-in of the account page, counted as by a server on this storage. */
type Made = Awaited<ReturnType<typeof database>>

/** Sends the form of a page with this address, in the hour and the quarter of an hour that begin now. */
async function post(
  { storage, users }: Made,
  path: string,
  sent: Record<string, string> & { address: string },
) {
  const { address, ...fields } = sent
  const { tickets } = memoryUserStores()
  const mailer = { send: async () => {} }
  const identity = createIdentity({
    users: () => users,
    throttle: () => storage.throttle,
    tickets,
    replays: () => storage.replays,
    mail: { queue: memoryMailQueue(), of: () => ({ mailer, from: 'id@example.com' }) },
    secret: SECRET,
    now: () => nextWindow(3600),
  })
  const { accounts, interactions } = identity
  const oidc = { issuer: 'http://localhost' }
  const provider = createProvider({ oidc, secret: SECRET, storage: () => storage, accounts, interactions })
  const ask = (url: string, init?: RequestInit) =>
    identity.fetch(provider, new Request(`http://localhost${url}`, init), { address })
  const page = await ask(`${path}?return_to=%2Faccount`)
  const cookie = page?.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec((await page?.text()) ?? '')?.[1] ?? ''
  const body = new URLSearchParams({ return_to: '/account', csrf_token, ...fields })
  return ask(path, { method: 'POST', headers: { cookie }, body })
}

/** Fails to sign in as Ann. */
async function guess(made: Made, address: string) {
  const posted = await post(made, '/login', { address, username: 'ann', password: 'wrong' })
  expect(posted?.status).toBe(422)
}

/** Asks for a mail for a new password. */
async function forget(made: Made, username: string, address: string) {
  const posted = await post(made, '/login/recover', { address, username })
  expect(posted?.status).toBe(303)
}

describe('throttle', () => {
  it.concurrent('shows and resets the counters of a user and of an address', async ({ onTestFinished }) => {
    const made = await database(onTestFinished)
    const { ostiary, quick, json } = made
    await makeAnn(made.users)
    await guess(made, '192.0.2.1')
    await guess(made, '192.0.2.1')
    await guess(made, '192.0.2.10')
    const shown = await ostiary('throttle list --user ANN')
    expect(shown.stdout).toMatch(/^LIMIT +COUNTED +MAXIMUM +UNTIL$/m)
    expect(shown.stdout).toMatch(/^account +3 +200 +\S+Z$/m)
    expect(shown.stdout).toMatch(/^account_and_address +2 +20 +\S+Z$/m)
    expect(await json('throttle list --address 192.0.2.1', quick)).toMatchObject({
      throttles: [{ limit: 'address', counted: 2, maximum: 100 }],
    })
    expect(await json('throttle reset --user ann', quick)).toEqual({ username: 'ann', reset: 3 })
    expect(await json('throttle list --user ann', quick)).toEqual({ throttles: [] })
    const limited = await quick('throttle list --address 192.0.2.10 --json', {
      env: { OSTIARY_LOGIN__FAILURES: '7' },
    })
    expect(JSON.parse(limited.stdout)).toMatchObject({
      throttles: [{ limit: 'address', counted: 1, maximum: 35 }],
    })
  })

  it.concurrent('shows and resets the counters of mails, in a realm that mails', async ({
    onTestFinished,
  }) => {
    const made = await database(onTestFinished)
    const { quick, users } = made
    await makeAnn(users)
    for (const username of ['ann', 'ann', 'bob']) await forget(made, username, '192.0.2.1')
    const identity = { mail: { from: 'id@example.com' } }
    const config = { ...START.config(3000), identity }
    const env = { SMTP_URL: 'smtp://127.0.0.1:1' }
    const shown = async (selection: string) =>
      JSON.parse((await quick(`throttle list ${selection} --json`, { env, config })).stdout)
    expect(await shown('--user ann')).toMatchObject({
      throttles: [{ limit: 'mail_account', counted: 2, maximum: 3 }],
    })
    expect(await shown('--address 192.0.2.1')).toMatchObject({
      throttles: [{ limit: 'mail_address', counted: 3, maximum: 10 }],
    })
    expect((await quick('throttle reset --user ann', { env, config })).stdout).toContain('Reset: 1')
    expect(await shown('--user ann')).toEqual({ throttles: [] })
    expect(await shown('--user bob')).toMatchObject({ throttles: [{ limit: 'mail_account', counted: 1 }] })
    // Without mail, there are none.
    expect(JSON.parse((await quick('throttle list --user bob --json')).stdout)).toEqual({ throttles: [] })
  })

  it.concurrent('shows and resets the limits of the provider', async ({ onTestFinished }) => {
    const { ostiary, quick, json, storage } = await database(onTestFinished)
    const address = '2001:db8:1:2::1'
    await storage.throttle.hit(counterOf('register', '2001:db8:1:2::/64'), 3600, nextWindow(3600))
    await storage.throttle.hit(counterOf('register', '2001:db8:1::/48'), 3600, nextWindow(3600))
    await storage.throttle.hit(counterOf('authorize', '192.0.2.10'), 3600, nextWindow(3600))
    await storage.throttle.hit(`${counterOf('client-secret', '192.0.2.10')}backend`, 3600, nextWindow(3600))
    const shown = await ostiary(`throttle list --address ${address}`)
    expect(shown.stdout).toMatch(/^register +1 +60 +\S+Z$/m)
    expect(shown.stdout).toMatch(/^register \(\/48\) +1 +240 +\S+Z$/m)
    // A prefix of another address is a different address.
    expect(await json('throttle list --address 192.0.2.1', quick)).toEqual({ throttles: [] })
    expect(await json('throttle reset --address 192.0.2.1', quick)).toMatchObject({ reset: 0 })
    expect(await json('throttle list --address 192.0.2.10', quick)).toMatchObject({
      throttles: [
        { limit: 'authorize', counted: 1, maximum: 60 },
        { limit: 'client_secret', counted: 1, maximum: 100 },
      ],
    })
    expect(await json(`throttle reset --address ${address}`, quick)).toEqual({ address, reset: 2 })
    expect(await json(`throttle list --address ${address}`, quick)).toEqual({ throttles: [] })
  })
})
