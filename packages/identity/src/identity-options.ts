/** The options of createIdentity(), and their check: one ConfigError with all faults. */

import {
  booleanFault,
  type ConfigFault,
  type FetchDocument,
  type OptionRule,
  objectFault,
  optional,
  optionalFunction,
  optionFaults,
  type ReplayStore,
  refuseFaults,
  requiredFunction,
  secretRule,
  type Throttle,
} from '@ostiary/core'
import type { LanguagesOptions } from '@ostiary/messages'
import type { IdentityEventSink } from './events.js'
import type { MailOptions } from './outbox/mail-options.js'
import { FACTOR_STYLE } from './pages/factors/style.js'
import { languagesFaults } from './pages/languages.js'
import { RECOVERY_STYLE } from './pages/recovery/style.js'
import { type ResolvedTheme, resolveTheme, type Theme, ThemeError } from './pages/theme.js'
import type { IdentitySettings } from './settings.js'
import type { AbuseCheck } from './sign-in/abuse.js'
import type { RefusedPage } from './sign-in/extensions/refused.js'
import type { Extension } from './sign-in/extensions/seam.js'
import { DEFAULT_LOGIN_LIMITS, type LoginLimits } from './sign-in/login-limits.js'
import type { MailRecovery } from './sign-in/regain/seam.js'
import type { SignUp } from './sign-in/sign-up/seam.js'
import type { Factors } from './users/factor-store.js'
import type { PasswordRealm, PasswordRules } from './users/password-rules.js'
import type { PasswordHasher } from './users/passwords.js'
import type { RememberedDevices } from './users/remembered-device-store.js'
import type { Tickets } from './users/ticket-store.js'
import type { Users } from './users/user-store.js'

/** The options of `createIdentity`. `users`, `throttle` and `secret` are required. */
export interface IdentityOptions {
  /** The users of each realm. */
  users: Users
  /**
   * The passkeys, authenticator apps and recovery codes of each realm, e.g. of `memoryUserStores()`. Without it, users sign in with
   * passwords alone.
   */
  factors?: Factors
  /** The tickets of each realm: links with which an operator lets users in again (`createRecoveryLink`). */
  tickets?: Tickets
  /** Of each realm. Required where one has the setting `remember_device`. */
  remembered_devices?: RememberedDevices
  /**
   * What the realms mail with: then a user who forgot the password gets a link, and is told of changes of the account. Requires `tickets`.
   * Call `identity.mail.start(provider)` every few seconds.
   */
  mail?: MailOptions
  /** What other packages add, e.g. `createUpstreams` of `@ostiary/upstream`. Requires `replays`. */
  extensions?: readonly Extension[]
  /** Lets users make an account by themselves: `createSignUp` of `@ostiary/sign-up`. Requires `mail`. */
  sign_up?: SignUp
  /** Lets users in again by mail who have lost their passkeys or codes: `createRecovery` of `@ostiary/recovery`. Requires `mail` and `factors`. */
  recovery?: MailRecovery
  /** Shows the page for users who may not use a client, e.g. `refusedPage` of `@ostiary/access-rules`. */
  refused?: RefusedPage
  /** Asked before a stranger's form makes this server mail: a check against bots. */
  abuse?: AbuseCheck
  /** The values of each realm that are used once: `(realm) => storage(realm).replays`. `factors`, `tickets` and `extensions` require it. */
  replays?: (realm: string) => ReplayStore
  /** What each realm offers beside passwords; passkeys alone when absent. */
  settings?: (realm: string) => IdentitySettings
  /** The counters of each realm, e.g. `(realm) => storage(realm).throttle`. */
  throttle: (realm: string) => Throttle
  /** At least 32 random characters. It may be that of the provider: each use derives its own key. */
  secret: string
  /** The secret before its last change: its forms and device cookies are still accepted. */
  previous_secret?: string
  /** Epoch seconds; the system's clock when absent. */
  now?: () => number
  /** Name, colors and logo of the pages. */
  theme?: Theme
  /** English, German, French and those added here; English is the default. */
  languages?: LanguagesOptions
  /** How many failed sign-ins are allowed; `DEFAULT_LOGIN_LIMITS` when absent. */
  limits?: LoginLimits
  /** How passwords are hashed; `argon2Passwords()` when absent. */
  passwords?: PasswordHasher
  /** The rules of new passwords, e.g. `passwordRules()` of `@ostiary/password-rules`; 8 to 1,024 characters when absent. */
  password_rules?: (realm: PasswordRealm) => PasswordRules | null
  /**
   * Called with each refused sign-in, each event of the account page and each server error. When absent: a line on the
   * console where the issuer is plain http.
   */
  on_event?: IdentityEventSink
  /** Whether there is an account page at `<realm>/account`; true when absent. */
  account?: boolean
  /** Whether a browser gets a landing page at `<realm>/`; false when absent. */
  landing?: boolean
  /** Reads the logos of clients that an operator made (`logo_uri`), for the pages; without it they show none. */
  fetch_document?: FetchDocument
  /** Whether a failure of `users` or `throttle` is temporary: then the page answers 503, not 500. */
  unavailable?: (cause: unknown) => boolean
}

const RULES: Record<keyof IdentityOptions, OptionRule> = {
  users: requiredFunction('missing; give memoryUsers() to try it out, or the users of a database'),
  throttle: requiredFunction(
    'missing; give a function that returns the counters of a realm: (realm) => storage(realm).throttle',
  ),
  factors: optionalFunction,
  tickets: optionalFunction,
  remembered_devices: optionalFunction,
  mail: {
    ...optional(objectFault),
    members: {
      queue: { ...optional(objectFault) },
      of: requiredFunction('missing; give a function that returns the mail of a realm, or null'),
    },
  },
  extensions: optional(extensionsFault),
  sign_up: optional(objectFault),
  abuse: {
    ...optional(objectFault),
    members: { check: requiredFunction('missing; give a function') },
  },
  recovery: optional(objectFault),
  refused: optionalFunction,
  replays: optionalFunction,
  settings: optionalFunction,
  secret: secretRule,
  previous_secret: optional(secretRule.fault),
  now: optionalFunction,
  theme: optional(objectFault),
  languages: optional(objectFault),
  limits: optional((value) => objectFault(value) ?? limitsFault(value as object)),
  passwords: {
    ...optional(objectFault),
    members: Object.fromEntries(
      ['hash', 'verify', 'stale'].map((name) => [name, requiredFunction('missing; give a function')]),
    ),
  },
  password_rules: optionalFunction,
  on_event: optionalFunction,
  account: optional(booleanFault),
  landing: optional(booleanFault),
  fetch_document: optionalFunction,
  unavailable: optionalFunction,
}

function limitsFault(limits: object): string | null {
  const names = Object.keys(DEFAULT_LOGIN_LIMITS)
  const wrong = Object.entries(limits).find(
    ([name, value]) =>
      !names.includes(name) || (value !== undefined && !(Number.isInteger(value) && value > 0)),
  )
  return wrong ? `${wrong[0]}: give positive whole numbers for ${names.join(' and ')}` : null
}

/**
 * Checks the options, and returns the theme.
 * @throws ConfigError with every fault; ThemeError when only the theme is invalid.
 */
export function checkedTheme(options: IdentityOptions): ResolvedTheme {
  const faults = optionFaults(options, RULES)
  if (!faults.some(({ path }) => path === '' || path === 'languages'))
    faults.push(...languagesFaults(options.languages))
  if (faults.length === 0) faults.push(...factorFaults(options))
  if (faults.length > 0) refuseFaults([...faults, ...themeFaults(options, faults)])
  return resolveTheme(options.theme, styleOf(options))
}

/** Each has a name of its own, under which it seals and counts. */
function extensionsFault(value: unknown): string | null {
  const names = Array.isArray(value) ? value.map((one) => one?.name) : [undefined]
  const are_named = names.every((name) => typeof name === 'string' && name !== '')
  return are_named && new Set(names).size === names.length
    ? null
    : 'give a list of what functions such as createUpstreams return, each at most once'
}

/** The rules of the pages that are there. */
const styleOf = ({ factors, tickets }: IdentityOptions): string =>
  `${factors ? FACTOR_STYLE : ''}${factors && tickets ? RECOVERY_STYLE : ''}`

/** What the options of the factors, tickets and mails need of each other. */
function factorFaults({
  factors,
  tickets,
  replays,
  settings,
  mail,
  extensions,
  sign_up,
  recovery,
}: IdentityOptions): ConfigFault[] {
  if (recovery !== undefined && (mail === undefined || factors === undefined))
    return [{ path: 'recovery', message: 'it needs mail and factors: give both' }]
  if (sign_up !== undefined && mail === undefined)
    return [
      { path: 'mail', message: 'missing; sign_up needs it: the address of a new user is verified by a mail' },
    ]
  if (mail !== undefined && tickets === undefined)
    return [{ path: 'tickets', message: 'missing; mail needs it: the links of mails are tickets' }]
  if ((tickets ?? extensions) !== undefined && replays === undefined) {
    const of = tickets ? 'tickets need' : 'extensions need'
    return [{ path: 'replays', message: `missing; ${of} it: (realm) => storage(realm).replays` }]
  }
  if (factors === undefined)
    return settings === undefined
      ? []
      : [{ path: 'settings', message: 'they need a store of factors: give factors and replays too' }]
  return replays === undefined
    ? [{ path: 'replays', message: 'missing; factors need it: (realm) => storage(realm).replays' }]
    : []
}

/** The faults of the theme's values, when the theme is an object. */
function themeFaults(options: IdentityOptions | undefined, faults: readonly ConfigFault[]): ConfigFault[] {
  if (!options || faults.some(({ path }) => path === 'theme')) return []
  try {
    resolveTheme(options.theme)
    return []
  } catch (error) {
    if (error instanceof ThemeError) return [error.fault]
    throw error
  }
}
