/** What the account page tells browsers: the passkeys that they may keep after a removal, and the names of the account. */

import { describe, expect, it } from 'vitest'
import { upsertUser } from '../src/index.js'
import { openAccount, postAccount, signedIn, subOf } from './_account.js'
import { addPasskey, signedInWithPasskey, syncedPasskey, withFactors } from './_factors.js'
import type { Browser, Setup } from './_setup.js'

const COOKIE = '__Host-ostiary_account_signal'

/** The signals of a page. */
const signalsIn = (html: string): Record<string, unknown> =>
  Object.fromEntries(
    [...html.matchAll(/data-signal="(\w+)" data-options="([^"]*)"/g)].map(([, method = '', options = '']) => [
      method,
      JSON.parse(options.replaceAll('&quot;', '"')),
    ]),
  )

const passkeysOf = async (s: Setup, username?: string) =>
  (await s.factors('default').list(await subOf(s, username))).filter(({ kind }) => kind === 'passkey')

async function removeOne(s: Setup, b: Browser, username?: string): Promise<string> {
  const [passkey] = await passkeysOf(s, username)
  await postAccount(s, b, { action: 'remove_factor', factor_id: passkey?.factor_id ?? '' })
  return b.cookies.get(COOKIE) ?? ''
}

describe('after the removal of', () => {
  it('one of two: the list, read after it, has the other, once', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    const [first] = await passkeysOf(s)
    const second = syncedPasskey()
    s.clock.now += 1
    await addPasskey(s, b, second)
    const user = { rpId: 'id.example', userId: first?.data.user_handle }
    await removeOne(s, b)
    // A passkey that another browser adds meanwhile is in the list.
    await addPasskey(s, await signedInWithPasskey(s, second), syncedPasskey())
    const kept = (await passkeysOf(s)).map(({ data }) => data.credential_id)
    expect(signalsIn((await openAccount(s, b)).html)).toMatchObject({
      signalAllAcceptedCredentials: { ...user, allAcceptedCredentialIds: kept },
    })
    expect(b.cookies.get(COOKIE)).toBeFalsy()
    expect(signalsIn((await openAccount(s, b)).html)).not.toHaveProperty('signalAllAcceptedCredentials')
  })

  it('the last one: the list is empty, for its user handle', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    const [passkey] = await passkeysOf(s)
    await removeOne(s, b)
    expect(signalsIn((await openAccount(s, b)).html)).toEqual({
      signalAllAcceptedCredentials: {
        rpId: 'id.example',
        userId: passkey?.data.user_handle,
        allAcceptedCredentialIds: [],
      },
    })
  })

  it('an app, or nothing: no list', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    await postAccount(s, b, { action: 'remove_factor', factor_id: 'unknown' })
    expect(b.cookies.get(COOKIE)).toBeFalsy()
    expect(signalsIn((await openAccount(s, b)).html)).not.toHaveProperty('signalAllAcceptedCredentials')
  })
})

describe('what is carried to the next page', () => {
  it.each(['another account', 'text', 'a changed value'])(
    'is ignored when it is of %s: a list for the wrong user handle would delete its passkeys',
    async (of) => {
      const s = await withFactors()
      const eve = { username: 'eve', password: 'correct horse' }
      await upsertUser(s.users('default'), eve, {
        passwords: { hash: async (p) => `plain ${p}`, verify: async () => true, stale: () => false },
      })
      const b = await signedIn(s)
      await addPasskey(s, b, syncedPasskey())
      const text = await removeOne(s, b)
      const other = await signedIn(s, { username: 'eve' })
      const changed = (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
      const values: Record<string, string> = {
        'another account': text,
        text: 'text',
        'a changed value': changed,
      }
      const [browser, value] = of === 'another account' ? [other, text] : [b, values[of] ?? '']
      browser.cookies.set(COOKIE, value)
      const { page, html } = await openAccount(s, browser)
      expect([page.status, signalsIn(html)]).toEqual([200, {}])
      expect(browser.cookies.get(COOKIE)).toBeFalsy()
      b.cookies.set(COOKIE, text)
      expect(signalsIn((await openAccount(s, b)).html)).toHaveProperty('signalAllAcceptedCredentials')
    },
  )
})

describe('the names of the account', () => {
  it('are told on each page of an account with a passkey: an operator may have changed them', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    expect(signalsIn((await openAccount(s, b)).html)).toEqual({})
    await addPasskey(s, b, syncedPasskey())
    const [passkey] = await passkeysOf(s)
    const told = { rpId: 'id.example', userId: passkey?.data.user_handle, name: 'Ada' }
    expect(signalsIn((await openAccount(s, b)).html)).toEqual({
      signalCurrentUserDetails: { ...told, displayName: 'Ada Lovelace' },
    })
    const users = s.users('default')
    const user = await users.find(await subOf(s))
    if (!user) throw new Error('There is no Ada')
    const claims = { ...user.claims, name: ' ' }
    await users.update({ ...user, claims, updated_at: user.updated_at + 1 }, user.updated_at)
    expect(signalsIn((await openAccount(s, b)).html)).toEqual({
      signalCurrentUserDetails: { ...told, displayName: 'Ada' },
    })
  })

  it('are not told for passkeys of another relying party ID: the browser would refuse it', async () => {
    const s = await withFactors({
      settings: { passkeys: { rp_id: 'id.example' }, second_factor: 'optional' },
    })
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    const [passkey] = await passkeysOf(s)
    if (!passkey) throw new Error('No passkey')
    const sub = await subOf(s)
    const { credential_version = 0 } = (await s.users('default').find(sub)) ?? {}
    const moved = { ...passkey, data: { ...passkey.data, rp_id: 'example' } }
    const change = {
      sub,
      remove: [passkey.factor_id],
      add: [{ ...moved, factor_id: `${passkey.factor_id}x` }],
    }
    await s.factors('default').change(change, { credential_version, now: s.clock.now })
    expect(signalsIn((await openAccount(s, b)).html)).toEqual({})
  })
})

it('the page of the recovery codes has what a print needs: the account and the date, in its time zone', async () => {
  const s = await withFactors()
  const b = await signedIn(s)
  await addPasskey(s, b, syncedPasskey())
  const page = await postAccount(s, b, { action: 'new_codes' })
  const html = await page.text()
  expect(html).toContain('Recovery codes for the account <bdi>Ada</bdi>, <time datetime="2027-01-15')
  expect(html).toContain('<button type="button" class="quiet" hidden data-print>Print</button>')
  expect(page.headers.get('content-security-policy')).toContain(`script-src 'self'`)
})
