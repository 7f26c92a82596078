/** What every page that a request can reach is given. */

import type { Provider, Realm, RequestInfo } from '@ostiary/core'
import type { PageEvent } from '../events.js'
import type { ResolvedTheme } from '../pages/theme.js'
import type { Passwords } from '../users/passwords.js'
import type { Users } from '../users/user-store.js'
import type { Csrf } from '../web/csrf.js'
import type { Attempts } from './attempts.js'
import type { Devices } from './devices.js'

export interface PageContext {
  theme: ResolvedTheme
  users: Users
  passwords: Passwords
  attempts: Attempts
  devices: Devices
  csrf: Csrf
  provider: Provider
  realm: Realm
  request: Request
  body: RequestInfo['body'] | undefined
  /** The client's IP address, or null. */
  address: string | null
  /** Whether a user may sign in for the account page, without a client that waits. */
  has_account_page: boolean
  now: () => number
  emit(event: PageEvent): void
}
