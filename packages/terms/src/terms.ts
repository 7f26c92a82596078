/** createTerms: one of the option `extensions` of createIdentity. */

import { refuseFaults } from '@ostiary/core/common'
import type { Arrival, Extension, SignInVisit, User } from '@ostiary/identity'
import { declinedPage, PATH, termsPage } from './pages.js'
import { type TermsSettings, termsFaults } from './settings.js'
import { beginWaiting, currentUser, endWaiting, findWaiting, type WaitingSignIn } from './waiting.js'

/** The options of `createTerms`. */
export interface TermsOptions {
  /** The terms of each realm, by its id. In a realm that is absent, users are asked for none. */
  realms: Readonly<Record<string, TermsSettings>>
}

/**
 * Asks each user to accept the terms of service, before the session of the next sign-in begins.
 * @throws ConfigError that names every fault of the settings.
 *
 * @example
 * ```ts
 * import { createTerms } from '@ostiary/terms'
 *
 * // One of the option `extensions` of createIdentity.
 * export const terms = createTerms({
 *   realms: { default: { version: '2026-11-01', url: 'https://example.com/terms' } },
 * })
 * ```
 */
export function createTerms({ realms }: TermsOptions): Extension {
  refuseFaults(
    Object.entries(realms).flatMap(([realm, settings]) =>
      termsFaults(settings).map(({ path, message }) => ({ path: `realms.${realm}.${path}`, message })),
    ),
  )
  const settingsOf = (realm: string) => (Object.hasOwn(realms, realm) ? realms[realm] : undefined)
  return {
    name: 'terms',
    methods: (realm, path) =>
      path === PATH && settingsOf(realm) !== undefined ? ['GET', 'HEAD', 'POST'] : [],
    answer: (c) => (c.request.method === 'POST' ? post : get)(c, settingsOf(c.realm.id) as TermsSettings),
    async interrupt(c) {
      const settings = settingsOf(c.realm.id)
      if (settings === undefined || c.user.terms?.version === settings.version) return null
      return c.redirect(`${c.realm.urls.issuer}${PATH}?${new URLSearchParams({ return_to: c.return_to })}`, [
        beginWaiting(c),
      ])
    },
  }
}

async function get(page: Arrival, settings: TermsSettings): Promise<Response> {
  const c = await page.waiting(new URL(page.request.url).searchParams.get('return_to') ?? '')
  if (c instanceof Response) return c
  const found = await findWaiting(c)
  return found === null ? toSignIn(c) : termsPage(c, { ...found, settings })
}

async function post(page: Arrival, settings: TermsSettings): Promise<Response> {
  const form = await page.form()
  if (form instanceof Response) return form
  const c = await page.waiting(form.get('return_to') ?? '')
  if (c instanceof Response) return c
  const found = await findWaiting(c)
  if (found === null) return refused(c, null)
  const { waiting, user } = found
  const { client_id } = c
  if (c.open(form.get('confirm') ?? '') !== waiting.id) {
    c.emit({ type: 'login.refused', reason: 'csrf', client_id, sub: user.sub })
    return termsPage(c, { ...found, settings, not_confirmed: true })
  }
  const action = form.get('action')
  if (action === 'decline') return decline(c, found)
  // Another version may have come meanwhile, which the user has not seen.
  if (action !== 'accept' || form.get('version') !== settings.version)
    return termsPage(c, { ...found, settings })
  const is_first = await c.claim(waiting.id, waiting.expires_at)
  const accepted = is_first ? await accept(c, found, settings) : null
  if (accepted === null) return refused(c, user.sub)
  return c.proceed({ user: accepted, proofs: waiting.proofs, cookies: [endWaiting(c)] })
}

/** Another writer may change the user between a read and a write. */
const MAX_ATTEMPTS = 5

/** Stores what the user has accepted. Null when the account has changed meanwhile. */
async function accept(
  c: SignInVisit,
  { waiting }: WaitingSignIn,
  { version }: TermsSettings,
): Promise<User | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const user = await currentUser(c, waiting)
    // Or in another tab.
    if (user === null || user.terms?.version === version) return user
    const now = c.now()
    const updated_at = Math.max(now, user.updated_at + 1)
    const changed = { ...user, terms: { version, accepted_at: now }, updated_at }
    if (!(await c.users.update(changed, user.updated_at))) continue
    c.emit({ type: 'terms.accepted', version, sub: user.sub })
    return changed
  }
  throw new Error(`The user was changed ${MAX_ATTEMPTS} times while the terms were accepted`)
}

/** Back to the application. What the browser has does not go on any more. */
async function decline(c: SignInVisit, { waiting }: WaitingSignIn): Promise<Response> {
  await c.claim(waiting.id, waiting.expires_at)
  const ended = [endWaiting(c)]
  return c.client_id === null ? declinedPage(c, ended) : c.cancel(ended)
}

/** The sign-in begins again. The cookie may be that of another tab, and stays. */
const toSignIn = (c: SignInVisit): Response =>
  c.redirect(`${c.realm.urls.issuer}/login?${new URLSearchParams({ return_to: c.return_to })}`)

function refused(c: SignInVisit, sub: string | null): Response {
  c.emit({ type: 'login.refused', reason: 'stale_request', client_id: c.client_id, sub })
  return toSignIn(c)
}
