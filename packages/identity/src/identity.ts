/** createIdentity: the accounts, the pages and the routes of the built-in sign-in. */

import {
  type Accounts,
  type Interactions,
  type Provider,
  type RequestInfo,
  secretFault,
  type Throttle,
} from '@ostiary/core'
import { deliver, type IdentityEventSink } from './events.js'
import { failurePage } from './pages/error.js'
import { createInteractions } from './pages/interactions.js'
import { resolveTheme, type Theme } from './pages/theme.js'
import { answer, mayBeRouted, routesAt } from './routes.js'
import { createAttempts } from './sign-in/attempts.js'
import type { PageContext } from './sign-in/context.js'
import { createDevices } from './sign-in/devices.js'
import { DEFAULT_LIMITS, type Limits } from './sign-in/login-limits.js'
import { throttleHash } from './sign-in/login-throttles.js'
import { createAccounts } from './users/accounts.js'
import { argon2Passwords, type Passwords } from './users/passwords.js'
import type { Users } from './users/user-store.js'
import { createCsrf } from './web/csrf.js'
import { keyedHash } from './web/keyed-hash.js'

/** What `createIdentity` takes. `users`, `throttle` and `secret` are needed. */
export interface IdentityOptions {
  /** Where the accounts are, by realm. */
  users: Users
  /** A realm's counters, e.g. `(realm) => storage(realm).throttle`. */
  throttle: (realm: string) => Throttle
  /** At least 32 random characters; may be the provider's, since keys are derived from it per use. */
  secret: string
  /** Epoch seconds. */
  now?: () => number
  /** Name, colours and logo of the pages. */
  theme?: Theme
  /** How often a sign-in may fail. */
  limits?: Limits
  /** `argon2Passwords()` when absent. */
  passwords?: Passwords
  /** Told of refused sign-ins and of what happens on the account page. */
  on_event?: IdentityEventSink
  /** Whether there is an account page at `<realm>/account`: true. */
  account?: boolean
  /** Whether a failure of users or throttle means that they are away for now: a page with 503 instead of 500. */
  unavailable?: (cause: unknown) => boolean
}

/** Accounts and pages for `createProvider`, and the handler of the pages. */
export interface Identity {
  /** Both for createProvider. */
  accounts: Accounts
  interactions: Required<Interactions>
  /**
   * Null when the path is none of ours: then it is for `provider.fetch`. `address`: the client's IP address.
   */
  fetch(provider: Provider, request: Request, info?: RequestInfo): Promise<Response | null>
}

/** @throws ThemeError when the theme cannot be used, Error when the secret is too short or repeats few characters. */
export function createIdentity(options: IdentityOptions): Identity {
  const { users, throttle, secret, limits = {}, passwords = argon2Passwords(), on_event } = options
  const { account: has_account_page = true } = options
  const weak = secretFault(secret)
  if (weak !== null) throw new Error(`secret: ${weak}`)
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const theme = resolveTheme(options.theme)
  const attempts = createAttempts({
    throttle,
    hash: throttleHash(secret),
    limits: { ...DEFAULT_LIMITS, ...limits },
  })
  const shared = {
    theme,
    users,
    passwords,
    attempts,
    devices: createDevices(keyedHash(secret, 'device')),
    csrf: createCsrf(keyedHash(secret, 'csrf')),
    now,
    has_account_page,
  }

  return {
    accounts: createAccounts(users),
    interactions: createInteractions(theme),
    async fetch(provider, request, info = {}) {
      if (!mayBeRouted(request.url)) return null
      // When the realm cannot be looked up, the provider's own look-up fails too, and the provider reports it.
      const located = await provider.locate(request).catch(() => null)
      if (!located) return null
      const { realm, path } = located
      const routes = routesAt(path, has_account_page)
      if (routes.length === 0) return null

      const address = info.address ?? null
      const emit: PageContext['emit'] = (event) =>
        deliver(on_event, { ...event, time: now(), realm: realm.id, address })
      try {
        return await answer(routes, { ...shared, provider, realm, request, body: info.body, address, emit })
      } catch (cause) {
        deliver(on_event, { type: 'server.error', time: now(), realm: realm.id, cause })
        return failurePage(theme, realm, options.unavailable?.(cause) ?? false)
      }
    },
  }
}
