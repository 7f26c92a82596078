/** The context of a request to one of the pages: the parts of `createIdentity`, and the request. */

import type { CallOrigin, Provider, Realm, RequestInfo } from '@ostiary/core'
import type { PageEvent } from '../events.js'
import type { ClientLogos } from '../pages/client-logos.js'
import type { Languages } from '../pages/languages.js'
import type { Presentation } from '../pages/presentation.js'
import type { PasswordHasher } from '../users/passwords.js'
import type { Users } from '../users/user-store.js'
import type { Csrf } from '../web/csrf.js'
import type { Attempts } from './attempts.js'
import type { Devices } from './devices.js'

export interface PageContext extends Presentation {
  languages: Languages
  users: Users
  passwords: PasswordHasher
  attempts: Attempts
  devices: Devices
  csrf: Csrf
  logos: ClientLogos
  provider: Provider
  realm: Realm
  request: Request
  body: RequestInfo['body'] | undefined
  /** The client's IP address, or null. */
  address: string | null
  /** The peer that claims `address` without being a trusted proxy; null when the address is certain. */
  peer: string | null
  /** For the events of the calls to the provider. */
  origin: CallOrigin
  /** Whether the account page exists, so that a user may sign in without an authorization request. */
  has_account_page: boolean
  now: () => number
  emit(event: PageEvent): void
}
