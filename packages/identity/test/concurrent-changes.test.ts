/** A password or account that changes while a sign-in is checked. */

import { describe, expect, it } from 'vitest'
import { setDisabled, setPassword } from '../src/index.js'
import { CHANGE, NEW_PASSWORD, postAccount, signedIn, signInAt, subOf } from './_account.js'
import { browser, PASSWORD, plainPasswords, type Setup, setup } from './_setup.js'

/** A setup with a change between the verification of the password and the start of the session. */
async function changing(change: (s: Setup, sub: string) => Promise<unknown>) {
  let afterVerification: () => Promise<unknown> = async () => {}
  const passwords = {
    ...plainPasswords,
    async verify(hash: string | null, password: string) {
      const right = await plainPasswords.verify(hash, password)
      if (right) await afterVerification()
      return right
    },
  }
  const s = await setup({ identity: { passwords }, stored: plainPasswords })
  const sub = await subOf(s, 'ada', 'default')
  afterVerification = async () => {
    await change(s, sub)
    // As after every password change.
    await (await s.provider.manage()).users.endAccess(sub)
  }
  return { s, sub }
}

describe('a sign-in during a change', () => {
  it.each<[string, (s: Setup, sub: string) => Promise<unknown>]>([
    [
      'a changed password',
      (s, sub) =>
        setPassword(s.users('default'), { sub, password: 'another password' }, { passwords: plainPasswords }),
    ],
    ['a disabled account', (s, sub) => setDisabled(s.users('default'), { sub, disabled: true })],
  ])('%s: no session remains', async (_, change) => {
    const { s, sub } = await changing(change)
    const b = browser(s)
    const answer = await signInAt(s, b, { realm: 'default' })
    expect(answer.status).toBe(400)
    expect(await s.storage('default').sessions.list(sub)).toEqual([])
  })

  it('no change: the session starts', async () => {
    const { s, sub } = await changing(async () => {})
    expect((await signInAt(s, browser(s), { realm: 'default' })).status).toBe(303)
    expect(await s.storage('default').sessions.list(sub)).toHaveLength(1)
  })
})

/** The record is replaced only if its `updated_at` is the one that was read, so no two versions may have the same. */
describe('updated_at increases with each change within one second', () => {
  it('of the password, on the account page', async () => {
    const s = await setup()
    const sub = await subOf(s)
    const updatedAt = async () => (await s.users('default').find(sub))?.updated_at ?? 0
    const b = await signedIn(s)
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
    const first = await updatedAt()
    s.clock.now = first
    const back = { ...CHANGE, current_password: NEW_PASSWORD, new_password: PASSWORD }
    expect((await postAccount(s, b, { ...back, new_password_again: PASSWORD })).status).toBe(303)
    expect(await updatedAt()).toBe(first + 1)
  })

  it('of the hash, at a sign-in', async () => {
    const s = await setup({
      identity: { passwords: { ...plainPasswords, stale: () => true } },
      stored: plainPasswords,
    })
    const store = s.users('default')
    const sub = await subOf(s)
    const first = (await store.find(sub))?.updated_at ?? 0
    s.clock.now = first
    for (const expected of [first + 1, first + 2]) {
      expect((await signInAt(s, browser(s))).status).toBe(303)
      expect((await store.find(sub))?.updated_at).toBe(expected)
    }
  })
})
