/** A password that is changed, or an account that is disabled, while a sign-in with the old one is checked. */

import { describe, expect, it } from 'vitest'
import { setDisabled, setPassword } from '../src/index.js'
import { signInAt, subOf } from './_account.js'
import { browser, plainPasswords, type Setup, setup } from './_setup.js'

/** A set-up in which something happens after a password was found right, and before its session begins. */
async function changing(change: (s: Setup, sub: string) => Promise<unknown>) {
  let meanwhile: () => Promise<unknown> = async () => {}
  const passwords = {
    ...plainPasswords,
    async verify(hash: string | null, password: string) {
      const right = await plainPasswords.verify(hash, password)
      if (right) await meanwhile()
      return right
    },
  }
  const s = await setup({ identity: { passwords }, stored: plainPasswords })
  const sub = await subOf(s, 'ada', 'default')
  meanwhile = async () => {
    await change(s, sub)
    // What every change of a password is followed by.
    await (await s.provider.manage()).users.endAccess(sub)
  }
  return { s, sub }
}

describe('a sign-in that overlaps', () => {
  it.each<[string, (s: Setup, sub: string) => Promise<unknown>]>([
    [
      'a changed password',
      (s, sub) =>
        setPassword(s.users('default'), { sub, password: 'another password' }, { passwords: plainPasswords }),
    ],
    ['a disabled account', (s, sub) => setDisabled(s.users('default'), { sub, disabled: true })],
  ])('%s leaves no session behind', async (_, change) => {
    const { s, sub } = await changing(change)
    const b = browser(s)
    const answer = await signInAt(s, b, { realm: 'default' })
    expect(answer.status).toBe(400)
    expect(await s.storage('default').sessions.list(sub)).toEqual([])
  })

  it('nothing goes on as ever', async () => {
    const { s, sub } = await changing(async () => {})
    expect((await signInAt(s, browser(s), { realm: 'default' })).status).toBe(303)
    expect(await s.storage('default').sessions.list(sub)).toHaveLength(1)
  })
})
