/** A password or account that changes while a sign-in is checked. */

import { describe, expect, it } from 'vitest'
import { setDisabled, setPassword } from '../src/index.js'
import { signInAt, subOf } from './_account.js'
import { browser, plainPasswords, type Setup, setup } from './_setup.js'

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
