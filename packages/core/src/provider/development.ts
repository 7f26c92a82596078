/**
 * Pages and users for the first steps: the sign-in page is a button for each user, without a password. It refuses every issuer
 * that is not on this machine. A production server has accounts and pages of its own, or those of `@ostiary/identity`.
 * @module
 */

import { ConfigError, refuseFaults } from '../config/config-error.js'
import { booleanFault, optional, optionFaults } from '../config/option-rules.js'
import { redirect } from '../http/route-responses.js'
import type {
  Accounts,
  Claims,
  ConsentPrompt,
  ErrorPrompt,
  Interactions,
  LoginPrompt,
} from '../realm/ports.js'
import { escapeHtml, plainPage } from '../request/plain-pages.js'
import type { Provider } from './provider-interface.js'

/** A user of the development pages: all keys but `sub` are claims. */
export interface DevelopmentUser {
  /** The identifier of the user in tokens. */
  sub: string
  [claim: string]: unknown
}

/** The options of `developmentPages`. */
export interface DevelopmentOptions {
  /** The users to choose from; Ann and Ben when absent. */
  users?: readonly DevelopmentUser[]
  /** True accepts an issuer that others can reach, where everyone who opens the page may sign in as each of the users. */
  allow_public_issuer?: boolean
}

/** The parts of `createProvider`'s options, and the handler of all requests. */
export interface DevelopmentPages {
  /** For `createProvider`. */
  accounts: Accounts
  /** For `createProvider`. */
  interactions: Interactions
  /**
   * Returns the function that answers all requests: those for the sign-in page, and through the provider all others.
   * @throws ConfigError when the issuer is not on this machine.
   */
  handler(provider: Provider): (request: Request) => Promise<Response>
}

const DEFAULT_USERS: readonly DevelopmentUser[] = [
  { sub: 'ann', name: 'Ann Example', email: 'ann@example.com', email_verified: true },
  { sub: 'ben', name: 'Ben Example', email: 'ben@example.com', email_verified: true },
]

const LOGIN_PATH = '/login'

/**
 * Makes users and pages for development.
 * @throws ConfigError when an option is wrong.
 *
 * @example
 * ```ts
 * import { createProvider } from '@ostiary/core'
 * import { developmentPages } from '@ostiary/core/development'
 * import { memoryStorage } from '@ostiary/core/memory'
 *
 * const pages = developmentPages()
 * const provider = createProvider({
 *   oidc: { issuer: 'http://localhost:3000' },
 *   secret: crypto.randomUUID(),
 *   storage: memoryStorage(),
 *   accounts: pages.accounts,
 *   interactions: pages.interactions,
 * })
 * export const fetch = pages.handler(provider)
 * ```
 */
export function developmentPages(options: DevelopmentOptions = {}): DevelopmentPages {
  const faults = optionFaults(options, {
    users: optional(usersFault),
    allow_public_issuer: optional(booleanFault),
  })
  refuseFaults(faults)
  const { users = DEFAULT_USERS, allow_public_issuer = false } = options
  const check = (issuer: string) => {
    if (!allow_public_issuer) requireLocal(issuer)
  }

  return {
    accounts: {
      async find(sub, realm) {
        check(realm.issuer)
        const user = users.find((known) => known.sub === sub)
        return user === undefined ? null : { sub, claims: claimsOf(user) }
      },
    },
    interactions: {
      async login({ realm, return_to, request }) {
        check(realm.issuer)
        const query = new URLSearchParams({ return_to })
        return redirect(`${realm.issuer}${LOGIN_PATH}?${query}`, realm.policy.redirect_status(request.method))
      },
      consent: async (prompt) => consentPage(prompt),
      // The button is one method of authentication.
      reachableAcr: ({ settings }) => settings.acr_values_supported.slice(0, 1),
      error: async (prompt) => errorPage(prompt),
    },
    handler(provider) {
      check(provider.url('oidc.jwks'))
      return async (request) => (await loginAnswer(provider, request, users)) ?? provider.fetch(request)
    },
  }
}

function usersFault(users: unknown): string | null {
  const isUser = (user: unknown) => typeof (user as DevelopmentUser | null)?.sub === 'string'
  return Array.isArray(users) && users.every(isUser) ? null : 'give a list of users, each with a sub'
}

/** Core accepts plain http for this machine only. */
function requireLocal(issuer: string): void {
  if (issuer.startsWith('http:')) return
  throw new ConfigError({
    path: 'developmentPages',
    message:
      'everyone who opens these pages may sign in as each of the users, so they are for an issuer on this machine, such as ' +
      'http://localhost:3000; give accounts and interactions of your own, or those of @ostiary/identity',
  })
}

const claimsOf = ({ sub: _, ...claims }: DevelopmentUser): Claims => claims

/** The answer to a request for the sign-in page; null for every other path. */
async function loginAnswer(
  provider: Provider,
  request: Request,
  users: readonly DevelopmentUser[],
): Promise<Response | null> {
  const located = await provider.locate(request)
  if (located?.path !== LOGIN_PATH) return null
  if (request.method === 'POST') return signIn(provider, request)
  const return_to = new URL(request.url).searchParams.get('return_to') ?? ''
  const prompt = await provider.loginPrompt(request, return_to)
  return prompt === null ? expired() : loginPage(prompt, users)
}

async function signIn(provider: Provider, request: Request): Promise<Response> {
  // A form of another site must not sign the developer in. Browsers before 2023 do not send this header.
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none')
    return messagePage(403, 'This form is from another site: open the sign-in page again.')
  const form = new URLSearchParams(await request.text())
  const return_to = form.get('return_to') ?? ''
  return provider.login(request, { sub: form.get('sub') ?? '', amr: ['user'], return_to })
}

function loginPage({ client, return_to }: LoginPrompt, users: readonly DevelopmentUser[]): Response {
  const buttons = users.map(({ sub, name }) => {
    const label = typeof name === 'string' ? name : sub
    return `<p><button name="sub" value="${escapeHtml(sub)}">Sign in as ${escapeHtml(label)}</button></p>`
  })
  return plainPage(
    'Sign in',
    `<p>to continue to ${escapeHtml(client.client_name)}</p>
<form method="post"><input type="hidden" name="return_to" value="${escapeHtml(return_to)}">${buttons.join('')}</form>
<p>Development pages: there are no passwords.</p>`,
  )
}

function consentPage({ client, user, scopes, action, auth_token }: ConsentPrompt): Response {
  const items = scopes.map(
    ({ value, description, severity }) =>
      `<li>${escapeHtml(description ?? value)}${severity === 'high' ? ' (sensitive)' : ''}</li>`,
  )
  const name = String(user.claims.name ?? user.sub)
  return plainPage(
    'Allow access?',
    `<p>${escapeHtml(client.client_name)} asks ${escapeHtml(name)} for access:</p><ul>${items.join('')}</ul>
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="auth_token" value="${escapeHtml(auth_token)}">
<button>Allow</button> <button name="_method" value="DELETE">Deny</button></form>`,
  )
}

const errorPage = ({ status, code, description }: ErrorPrompt): Response =>
  messagePage(status, `${code}: ${description}`)

const expired = () => messagePage(400, 'No sign-in waits here. Start it in your application.')

function messagePage(status: number, message: string): Response {
  const page = plainPage('The request failed', `<p>${escapeHtml(message)}</p>`)
  return new Response(page.body, { status, headers: page.headers })
}
