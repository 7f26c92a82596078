/** When the account page says that a linked account is a way in. */

import type { Realm } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { userRecord } from '@ostiary/test-kit/user-rules'
import { expect, it } from 'vitest'
import { waysView } from '../src/account/ways-view.js'
import { createFactorParts } from '../src/factors/parts.js'
import type { IdentitySettings } from '../src/settings.js'
import type { CodeAttempts } from '../src/sign-in/code-limits.js'
import type { LinksSignIn } from '../src/sign-in/extensions/seam.js'
import { memoryUserStores } from '../src/users/memory-users.js'
import type { User } from '../src/users/user-store.js'

function linkIsEnough(settings: IdentitySettings, user: Partial<User>, links: LinksSignIn): boolean {
  const storage = memoryStorage()
  const parts = createFactorParts({
    factors: memoryUserStores().factors,
    replays: (id) => storage(id).replays,
    settings: () => settings,
    secret: 'a secret of this test, 32 characters',
    // No code is checked here.
    code_attempts: {} as CodeAttempts,
    now: () => 1_700_000_000,
  })?.({ id: 'default', issuer: 'https://id.example' } as Realm)
  if (!parts) throw new Error('the realm has no factors')
  const account = {
    user: { ...userRecord('ada'), password_hash: null, ...user },
    has_password: false,
    factors: [],
    signals: [],
    links,
  }
  return waysView(parts, account).link_is_enough
}

it('where it signs in, and nothing more is asked for', () => {
  expect(linkIsEnough({}, {}, 'alone')).toBe(true)
  expect(linkIsEnough({}, {}, 'with_factor')).toBe(false)
  expect(linkIsEnough({}, {}, 'never')).toBe(false)
})

it('not where the realm, or the user, requires a factor of this server too', () => {
  expect(linkIsEnough({ second_factor: 'required' }, {}, 'alone')).toBe(false)
  expect(linkIsEnough({ second_factor: 'optional' }, { second_step: true }, 'alone')).toBe(false)
})
