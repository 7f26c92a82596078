/** createIdentity: the accounts and the pages of the built-in sign-in. */

import {
  type Accounts,
  deliverEvent,
  developmentLog,
  type Provider,
  type Realm,
  type RequestInfo,
  referenceOf,
} from '@ostiary/core'
import type { IdentityEventSink, PageEvent } from './events.js'
import { createFactorParts } from './factors/parts.js'
import { checkedTheme, type IdentityOptions } from './identity-options.js'
import { changesIn } from './mail/account-changes.js'
import { createMailParts } from './mail/mail-parts.js'
import type { MailDelivery } from './outbox/mail-options.js'
import { clientLogos } from './pages/client-logos.js'
import { failurePage } from './pages/error.js'
import { type BuiltInInteractions, createInteractions } from './pages/interactions.js'
import { createLanguages } from './pages/languages.js'
import { createRecoveryParts } from './recovery/parts.js'
import { answer, asksForLanding, mayBeRouted, routesAt } from './routes.js'
import { createAttempts } from './sign-in/attempts.js'
import { createCodeAttempts } from './sign-in/code-limits.js'
import type { FactorParts, PageContext, SignUpParts } from './sign-in/context.js'
import { createDevices } from './sign-in/devices.js'
import { namesIn } from './sign-in/extensions/names.js'
import { refusedInteraction } from './sign-in/extensions/refused.js'
import { createWayParts } from './sign-in/extensions/visit.js'
import { DEFAULT_LOGIN_LIMITS } from './sign-in/login-limits.js'
import { throttleHash } from './sign-in/login-throttles.js'
import { createAccounts } from './users/accounts.js'
import type { PasswordRules } from './users/password-rules.js'
import { argon2Passwords } from './users/passwords.js'
import { createCsrf } from './web/csrf.js'
import { acceptedHashes } from './web/keyed-hash.js'

/** The accounts and interactions for `createProvider`, and the handler of the pages. */
export interface Identity {
  /** For `createProvider`. */
  accounts: Accounts
  /** For `createProvider`. */
  interactions: BuiltInInteractions
  /**
   * Answers a request to one of the pages. Null for every other path: pass the request to `provider.fetch` then.
   * `info.address` is the client's IP address; with `info.peer`, what this peer claims.
   */
  fetch(provider: Provider, request: Request, info?: RequestInfo): Promise<Response | null>
  /** Sends the mails of all realms. Null without the option `mail`. */
  mail: MailDelivery | null
}

/**
 * Creates the built-in sign-in: password accounts and the sign-in, consent, sign-out, account and error pages.
 * @throws ConfigError that names every missing, wrong or unknown option, each with what to give instead; a ThemeError when only the
 * theme is invalid.
 *
 * @example
 * ```ts
 * import { createProvider } from '@ostiary/core'
 * import { memoryStorage } from '@ostiary/core/memory'
 * import { createIdentity, memoryUsers } from '@ostiary/identity'
 *
 * const secret = process.env.OIDC_SECRET ?? ''
 * const storage = memoryStorage()
 * const identity = createIdentity({ users: memoryUsers(), throttle: (realm) => storage(realm).throttle, secret })
 * const provider = createProvider({
 *   oidc: { issuer: 'https://id.example.com' },
 *   secret,
 *   storage,
 *   accounts: identity.accounts,
 *   interactions: identity.interactions,
 * })
 * export const fetch = async (request: Request, address: string) =>
 *   (await identity.fetch(provider, request, { address })) ?? provider.fetch(request, { address })
 * ```
 */
export function createIdentity(options: IdentityOptions): Identity {
  const { shared, ways, factorsOf, recoveryOf, mailParts, extensionsOf, signUpOf, regainOf } =
    createParts(options)
  const { theme, has_account_page, now } = shared
  const { landing = false } = options
  const { sign_up, mail: mails } = options
  const refused = options.refused && refusedInteraction(shared, options.refused)
  const signsUp = ({ id }: Realm) => sign_up?.offered(id) === true && mails?.of(id) != null
  const methodsOf = (realm: Realm) => factorsOf?.(realm)?.methods ?? []

  return {
    accounts: createAccounts(options.users),
    mail: mailParts?.delivery ?? null,
    interactions: createInteractions({ ...shared, methodsOf, signsUp, refused }),
    async fetch(provider, request, info = {}) {
      const enabled = {
        account: has_account_page,
        landing: landing && asksForLanding(request),
        factors: factorsOf !== null,
        tickets: recoveryOf !== null,
        mail: mailParts !== null,
        extensions: extensionsOf.length > 0,
        sign_up: signUpOf !== null,
        regain: regainOf !== null,
      }
      if (!mayBeRouted(request.url, enabled)) return null
      // When the look-up of the realm fails, the provider repeats it, fails too, and reports the error.
      const located = await provider.locate(request).catch(() => null)
      if (!located) return null
      const { realm, path } = located
      const routes = routesAt(path, enabled)
      if (routes.length === 0) return null

      const names = namesIn(shared, ways, realm.id)
      const language = names.languages.choose([], request)
      const on_event = options.on_event ?? defaultSink(realm)
      const { request_id, address = null, peer = null } = info
      const reference = request_id === undefined ? null : referenceOf(request_id)
      const { body, ...origin } = info
      const { emit, emitted, failed } = reports(on_event, { now, realm, info })
      try {
        const factors = factorsOf?.(realm) ?? null
        const recovery = recoveryOf?.(realm) ?? null
        const incoming = { provider, realm, request, body, address, peer, origin, language, reference }
        const password_rules = rulesOf(options, realm, factors)
        const mail = mailParts?.of(realm, provider) ?? null
        const extensions = extensionsOf.flatMap((of) => of?.(realm) ?? [])
        const signing_up = signsUp(realm) && signUpOf?.(realm)
        const sign_up = signing_up ? { ...signing_up, send: sendSignUp } : null
        const regain = (mail && options.recovery?.offered(realm.id) && regainOf?.(realm)) || null
        const optional = { factors, recovery, mail, extensions, sign_up, regain }
        const c = { ...shared, ...names, ...incoming, ...optional, password_rules, emit }
        const answered = await answer(routes, c)
        // The change is made: a notice that fails does not undo it.
        const changes = changesIn(emitted)
        if (mail !== null && changes.size > 0)
          await later()
            .then(({ addNotices }) => addNotices({ ...c, mail }, changes))
            .catch(failed)
        return answered
      } catch (cause) {
        failed(cause)
        return failurePage({ theme, language, reference }, realm, options.unavailable?.(cause) ?? false)
      }
    },
  }
}

const later = () => import('./later.js')

const sendSignUp: SignUpParts['send'] = async (c, mail) => (await later()).sendSignUp(c, mail)

const rulesOf = (
  { password_rules, theme }: IdentityOptions,
  { id, issuer }: Realm,
  factors: FactorParts | null,
): PasswordRules | null =>
  password_rules?.({
    id,
    issuer,
    product: theme?.name ?? null,
    second_factor_required: factors?.settings.second_factor === 'required',
  }) ?? null

/** What all requests share; and the factors of a realm. */
function createParts(options: IdentityOptions) {
  const theme = checkedTheme(options)
  const { users, throttle, secret, limits = {}, passwords = argon2Passwords(), extensions = [] } = options
  const { account: has_account_page = true } = options
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const hash = throttleHash(secret)
  const shared = {
    theme,
    languages: createLanguages(options.languages),
    users,
    passwords,
    attempts: createAttempts({ throttle, hash, limits: { ...DEFAULT_LOGIN_LIMITS, ...limits } }),
    devices: createDevices(acceptedHashes(options, 'device')),
    csrf: createCsrf(acceptedHashes(options, 'csrf')),
    logos: clientLogos(options.fetch_document, now),
    now,
    has_account_page,
    abuse: options.abuse ?? null,
  }
  const code_attempts = createCodeAttempts({ throttle, hash })
  const factorsOf = createFactorParts({ ...options, now, code_attempts })
  const { languages } = shared
  const settings = (realm: Realm) => factorsOf?.(realm)?.settings ?? null
  const ways = extensions.map((one) => ({ ways: one }))
  return {
    shared,
    ways,
    factorsOf,
    recoveryOf: createRecoveryParts({ ...options, now }),
    extensionsOf: extensions.map((one) => createWayParts(one, one.name, { ...options, hash, now })),
    signUpOf: createWayParts(options.sign_up, 'sign-up', { ...options, hash, now }),
    regainOf: createWayParts(options.recovery, 'regain', { ...options, hash, now }),
    mailParts: createMailParts({ ...options, extensions: ways, languages, hash, settings, now, load: later }),
  }
}

interface ReportedRequest {
  now: () => number
  realm: Realm
  info: RequestInfo
}

/** What reports the events and the failure of one request. */
function reports(
  sink: IdentityEventSink | undefined,
  { now, realm, info }: ReportedRequest,
): { emit: PageContext['emit']; emitted: readonly PageEvent[]; failed: (cause: unknown) => void } {
  const { request_id } = info
  const common = () => ({ time: now(), realm: realm.id, ...(request_id !== undefined && { request_id }) })
  const emitted: PageEvent[] = []
  return {
    emitted,
    emit(event) {
      emitted.push(event)
      deliverEvent(sink, { ...event, ...common(), address: certainAddress(info) })
    },
    failed: (cause) => deliverEvent(sink, { type: 'server.error', ...common(), cause }),
  }
}

/** For events: what a peer claims is not reported. */
const certainAddress = ({ address, peer }: RequestInfo): string | null =>
  peer === undefined ? (address ?? null) : null

/** As in `createProvider`: plain http is accepted on this machine only, for development. */
const defaultSink = ({ issuer }: Realm): IdentityEventSink | undefined =>
  issuer.startsWith('http:') ? developmentLog() : undefined
