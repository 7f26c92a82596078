/** createSignUp: what the option `sign_up` of createIdentity takes. */

import { randomBytes } from 'node:crypto'
import { addressIn, refuseFaults } from '@ostiary/core/common'
import type { SignUp, SignUpVisit, User } from '@ostiary/identity'
import { domainOf } from './address.js'
import { lettersTo } from './letters.js'
import { askPage, badLinkPage, domainsText, knownPage, linkPage, PATH, sentPage } from './pages.js'
import { type SignUpSettings, signUpFaults } from './settings.js'
import { textsOf } from './texts.js'

/** The options of `createSignUp`. */
export interface SignUpOptions {
  /** Who signs up in each realm, by its id. In a realm that is absent, no one does. */
  realms: Readonly<Record<string, SignUpSettings>>
}

/**
 * Lets users make an account by themselves: with an address that is verified before there is a user.
 * @throws ConfigError that names every fault of the settings.
 *
 * @example
 * ```ts
 * import { createSignUp } from '@ostiary/sign-up'
 *
 * // The option `sign_up` of createIdentity, which needs `mail` too.
 * export const sign_up = createSignUp({
 *   realms: { default: { signup: 'domains', signup_domains: ['example.com'] } },
 * })
 * ```
 */
export function createSignUp({ realms }: SignUpOptions): SignUp {
  const faults = Object.entries(realms).flatMap(([realm, settings]) =>
    signUpFaults(settings).map(({ path, message }) => ({ path: `realms.${realm}.${path}`, message })),
  )
  refuseFaults(faults)
  const settingsOf = (realm: string): SignUpSettings =>
    (Object.hasOwn(realms, realm) && realms[realm]) || { signup: 'off' }
  return {
    offered: (realm) => settingsOf(realm).signup !== 'off',
    label: (language) => textsOf(language).title,
    answer: (c) => (c.request.method === 'POST' ? post : get)(c, settingsOf(c.realm.id)),
  }
}

/** How long a link works, in seconds: 24 hours. */
const LINK_SECONDS = 86_400

/** What a link seals: no record of it is stored. */
interface Link {
  /** Claimed by its use. */
  id: string
  to: string
  /** Epoch seconds. */
  expires_at: number
}

async function get(c: SignUpVisit, settings: SignUpSettings): Promise<Response> {
  const query = new URL(c.request.url).searchParams
  if (query.has('sent')) return sentPage(c)
  if (!query.has('t')) return askPage(c, settings)
  const t = query.get('t') ?? ''
  const link = linkIn(c, t, settings)
  return link === null ? badLinkPage(c) : linkPage(c, { to: link.to, t })
}

async function post(c: SignUpVisit, settings: SignUpSettings): Promise<Response> {
  const form = await c.form()
  if (form instanceof Response) return form
  const problem = c.isConfirmed(form.get('csrf_token') ?? '') ? '' : c.text('sign_in.not_confirmed')
  const t = form.get('t')
  if (t !== null) return useLink(c, { t, link: linkIn(c, t, settings), problem })
  const address = form.get('address') ?? ''
  if (problem !== '') return askPage(c, settings, { address, problem, status: 403 })
  const to = addressIn(address)
  if (to === null || !accepts(settings, to))
    return askPage(c, settings, {
      address,
      problem: to === null ? textsOf(c.language.tag).no_address : domainsText(c, settings),
      status: 422,
    })
  const away = c.elsewhere(to)
  if (away !== null) return away
  const stop = await c.check(form)
  if (stop instanceof Response) return stop
  if (stop !== null) return askPage(c, settings, { address, ...stop })
  const expires_at = c.now() + LINK_SECONDS
  const sealed: Link = { id: randomBytes(16).toString('base64url'), to, expires_at }
  const { issuer } = c.realm.urls
  const letters = lettersTo(c, to, `${issuer}${PATH}?t=${c.seal(sealed)}`)
  const cookie = await c.send({ to, letters, expires_at })
  const query = new URLSearchParams({ ...(c.return_to !== '' && { return_to: c.return_to }), sent: '' })
  return c.redirect(`${issuer}${PATH}?${query}`, [cookie])
}

/** The domains are no secret: the page names them. */
const accepts = ({ signup, signup_domains = [] }: SignUpSettings, to: string): boolean =>
  signup === 'open' || signup_domains.includes(domainOf(to))

/** Null for a link of another realm, one that is too old, and one to an address that does not sign up any more. */
function linkIn({ open, now }: SignUpVisit, t: string, settings: SignUpSettings): Link | null {
  const link = open(t) as Link | null
  return link !== null && now() < link.expires_at && accepts(settings, link.to) ? link : null
}

/** Who uses it reads the mails to the address. It counts once. */
async function useLink(
  c: SignUpVisit,
  { t, link, problem }: { t: string; link: Link | null; problem: string },
): Promise<Response> {
  if (link === null) return badLinkPage(c)
  const { id, to, expires_at } = link
  if (problem !== '') return linkPage(c, { to, t }, { problem, status: 403 })
  const away = c.elsewhere(to)
  if (away !== null) return away
  const stored = await c.users.findByUsername(to)
  if (stored !== null && !c.isJustSignedUp(stored)) return knownPage(c)
  if (!(await c.claim(id, expires_at))) return badLinkPage(c)
  const user = stored ?? (await newUser(c, to))
  return user === null ? knownPage(c) : c.begin(user)
}

/** Another link may have made the user at the same time. Null when the user is another one. */
async function newUser(c: SignUpVisit, to: string): Promise<User | null> {
  const user = await c.createUser({ username: to, email: to, email_verified: true })
  if (user !== null) {
    c.emit({ type: 'signup.completed', sub: user.sub })
    return user
  }
  const stored = await c.users.findByUsername(to)
  return stored !== null && c.isJustSignedUp(stored) ? stored : null
}
