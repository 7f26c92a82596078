/** What every page that a request can reach is given. */

import type { Provider, Realm, RequestInfo } from '@ostiary/core'
import type { Attempts } from './attempts.js'
import type { Csrf } from './csrf.js'
import type { Devices } from './devices.js'
import type { PageEvent } from './events.js'
import type { Passwords } from './passwords.js'
import type { Look } from './theme.js'
import type { Users } from './users.js'

export interface PageContext {
  look: Look
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
  now: () => number
  emit(event: PageEvent): void
}
