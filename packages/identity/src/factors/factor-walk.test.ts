import { personTag } from '@ostiary/core'
import { codeOfStep, newTotpSecret } from '@ostiary/totp'
import { expect, it } from 'vitest'
import type { Factor, FactorStore } from '../users/factor-store.js'
import { memoryUserStores } from '../users/memory-users.js'
import type { User } from '../users/user-store.js'
import { createSealer } from '../web/sealed.js'
import { resealFactors, surveyFactors } from './factor-walk.js'
import { newRecoveryCodes } from './recovery/codes.js'
import { checkTotp, newTotpFactor, TOTP_SECRET_USE } from './totp/totp-factor.js'

const OLD = 'the old secret of this test, 32 characters'
const NEW = 'the new secret of this test, 32 characters'
const OTHER = 'a third secret of this test, 32 characters'
const REALM = 'default'
const STEP = 58_000_000
const now = STEP * 30
const ROTATION = { realm: REALM, secret: NEW, previous_secret: OLD }
const secret = newTotpSecret()

const contextOf = (of: { secret: string; previous_secret?: string }) => ({
  sealer: createSealer(of, TOTP_SECRET_USE),
  realm: REALM,
  now,
})
const app = (sub: string, sealed_with: string): Factor =>
  newTotpFactor({ sub, label: 'Phone', secret, step: STEP }, contextOf({ secret: sealed_with }))

const passkey = (name: string, sub: string, rp_id: string): Factor => ({
  ...app(sub, OLD),
  factor_id: name + personTag(sub),
  kind: 'passkey',
  state: '0 0',
  data: {
    credential_id: name,
    public_key: 'k',
    algorithm: -7,
    backup_eligible: false,
    transports: [],
    aaguid: 'a',
    rp_id,
    user_handle: 'h',
  },
})

const userWith = (sub: string): User => ({
  sub,
  username: sub,
  username_key: sub,
  password_hash: null,
  claims: {},
  attributes: null,
  groups: null,
  created_at: now,
  updated_at: now,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
})

/** A realm with these factors. */
async function realmWith(factors: readonly Factor[]) {
  const stores = memoryUserStores()
  const [users, store] = [stores.users(REALM), stores.factors(REALM)]
  const subs = [...new Set(factors.map(({ sub }) => sub))]
  for (const sub of subs) {
    await users.create(userWith(sub))
    const add = factors.filter((factor) => factor.sub === sub)
    await store.change({ sub, add }, { credential_version: 0, now })
  }
  return { users, store }
}

/** Whether a code of the only app of the user works, with these secrets of the provider. */
async function takesCode(
  store: FactorStore,
  sub: string,
  secrets: { secret: string; previous_secret?: string },
) {
  const factor = (await store.list(sub)).find(({ kind }) => kind === 'totp')
  return factor !== undefined && checkTotp(factor, codeOfStep(secret, STEP + 1), contextOf(secrets)) !== null
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

it('a code works before, during and after a change of the secret, and the user is not signed out', async () => {
  const { users, store } = await realmWith([app('ann', OLD), newRecoveryCodes('ann', now).factor])
  const before = await users.find('ann')
  expect(await takesCode(store, 'ann', { secret: OLD })).toBe(true)
  expect(await takesCode(store, 'ann', ROTATION)).toBe(true)
  expect(await resealFactors(store, ROTATION)).toEqual({ apps: 1, unreadable: 0, sealed_anew: 1 })
  expect(await takesCode(store, 'ann', ROTATION)).toBe(true)
  expect(await takesCode(store, 'ann', { secret: NEW })).toBe(true)
  expect(await takesCode(store, 'ann', { secret: OLD })).toBe(false)
  expect(await users.find('ann')).toEqual(before)
  expect(await resealFactors(store, ROTATION)).toEqual({ apps: 1, unreadable: 0, sealed_anew: 0 })
})

it('the apps of more users than a page has are sealed anew, each once; the others are counted', async () => {
  const subs = range(1100).map((index) => `user-${index}`)
  const { store } = await realmWith([
    ...subs.map((sub) => app(sub, OLD)),
    app('with-new', NEW),
    app('with-other', OTHER),
    passkey('p', 'with-new', 'id.example'),
  ])
  const pages: number[] = []
  const watched: FactorStore = {
    ...store,
    async page(page) {
      const found = await store.page(page)
      pages.push(found.length)
      return found
    },
  }
  expect(await resealFactors(watched, ROTATION)).toEqual({ apps: 1102, unreadable: 1, sealed_anew: 1100 })
  expect(pages).toEqual([1000, 103])
  for (const sub of subs) expect(await takesCode(store, sub, { secret: NEW })).toBe(true)
  const untouched = await store.list('with-other')
  await resealFactors(store, ROTATION)
  expect(await store.list('with-other')).toEqual(untouched)
})

it('after an interruption, the next call seals the rest', async () => {
  const { store } = await realmWith(['a', 'b', 'c'].map((sub) => app(sub, OLD)))
  let sealed = 0
  const failing: FactorStore = {
    ...store,
    async reseal(...args) {
      if (sealed === 2) throw new Error('The database is gone')
      sealed += 1
      return store.reseal(...args)
    },
  }
  await expect(resealFactors(failing, ROTATION)).rejects.toThrow('The database is gone')
  expect(await surveyFactors(store, { ...ROTATION, max: 9 })).toMatchObject({ apps: 3, sealed_before: 1 })
  expect(await resealFactors(store, ROTATION)).toEqual({ apps: 3, unreadable: 0, sealed_anew: 1 })
})

it('an app that was changed meanwhile is left, and is not counted as sealed anew', async () => {
  const { store } = await realmWith([app('a', OLD)])
  const late: FactorStore = {
    ...store,
    async reseal(factor_id, expected, data) {
      await store.reseal(factor_id, expected, { ...expected, secret: 'sealed by another call' })
      return store.reseal(factor_id, expected, data)
    },
  }
  expect(await resealFactors(late, ROTATION)).toMatchObject({ sealed_anew: 0 })
  expect(await store.list('a')).toMatchObject([{ data: { secret: 'sealed by another call' } }])
})

it('a survey counts apps by the secret that opens them, and passkeys by their RP ID', async () => {
  const { store } = await realmWith([
    app('a', OLD),
    app('b', NEW),
    app('c', OTHER),
    passkey('1', 'a', 'id.example'),
    passkey('2', 'a', 'old.example'),
    passkey('3', 'b', 'old.example'),
    newRecoveryCodes('a', now).factor,
  ])
  const counts = { apps: 3, unreadable: 1, sealed_before: 1 }
  const passkeys = new Map([
    ['id.example', 1],
    ['old.example', 2],
  ])
  const survey = await surveyFactors(store, { ...ROTATION, max: 7 })
  expect(survey).toEqual({ ...counts, passkeys, is_complete: true })
  const cut = await surveyFactors(store, { ...ROTATION, max: 6 })
  expect(cut.is_complete).toBe(false)
})
