/** The key `identity.sign_in_with`. */

import { describe, expect, it } from 'vitest'
import { configure, FILE, faults } from './support.ts'

const withNames = (sign_in_with: unknown, more: object = {}) => ({
  ...FILE,
  identity: { sign_in_with, ...more },
})
const BOTH = ['username', 'email']

describe('identity.sign_in_with', () => {
  it('names the realms with sign-in by address', async () => {
    expect(await configure(FILE)).not.toHaveProperty('sign_in_with')
    expect(await configure(withNames(['username']))).not.toHaveProperty('sign_in_with')
    const file = {
      ...FILE,
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: { acme: { identity: { sign_in_with: BOTH } } },
    }
    expect((await configure(file)).sign_in_with).toEqual(['acme'])
    expect((await configure(withNames(BOTH))).sign_in_with).toEqual(['default'])
  })

  it.each([[[]], [['email']], [['email', 'username']], [['username', 'username']]])(
    '%j is a fault',
    async (names) => {
      expect(await faults(withNames(names))).toEqual([
        'identity.sign_in_with: give ["username"], or ["username", "email"]',
      ])
    },
  )

  it('another name, or none that is a list, is a fault with its path', async () => {
    for (const names of ['email', ['username', 'phone']])
      expect((await faults(withNames(names)))[0]).toMatch(/^identity\.sign_in_with/)
  })

  it('where no page asks for a name, it is a fault that names the keys', async () => {
    const file = (names: string[]) => ({ ...withNames(names, { password: { enabled: false } }), users: [] })
    expect(await faults(file(BOTH))).toEqual([
      expect.stringMatching(
        /^identity\.sign_in_with: .*identity\.password\.enabled .*identity\.email_codes .*identity\.recovery\.mail/,
      ),
    ])
    expect((await configure(file(['username']))).sign_in_with).toBeUndefined()
  })
})
