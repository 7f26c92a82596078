/** The context of a request by a signed-in user to the account page, and the redirect that answers its forms. */

import type { Claims, Management, Session } from '@ostiary/core'
import { NOTICES, type Notice } from '../pages/account-view.js'
import { withCookies } from '../sign-in/complete-sign-in.js'
import type { ExtensionParts, FactorParts, FormTarget, PageContext } from '../sign-in/context.js'
import type { ExtensionSection, LinksSignIn, UserVisit } from '../sign-in/extensions/seam.js'
import { visitOf } from '../sign-in/extensions/visit.js'
import { hiddenFields } from '../sign-in/page-form.js'
import type { Factor } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { pageCookie } from '../web/cookies.js'
import type { FormBinding } from '../web/csrf.js'
import { ACCOUNT_PATH, pathIn, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'

export interface AccountContext extends PageContext {
  /** The session of this browser. */
  session: Session
  user: User
  /** The claims that the provider gives to clients. */
  claims: Claims
  management: Management
}

/** Null when the browser has no live session. */
export async function accountContext(c: PageContext): Promise<AccountContext | null> {
  const present = await c.provider.session(c.request, c.origin)
  const user = present && (await c.users(c.realm.id).find(present.session.sub))
  if (!present || !user) return null
  const { session } = present
  const management = await c.provider.manage(c.realm.id, c.origin)
  return { ...c, session, user, claims: present.user.claims, management }
}

/** Binds the form to the session: after a new sign-in, a form that was loaded before it is refused. */
export const csrfBinding = ({ realm, session }: AccountContext): FormBinding => ({
  realm,
  bound_to: `${ACCOUNT_PATH} ${session.sid}`,
})

/** A form of the page. */
export function targetOf(
  c: AccountContext,
  { action, fields }: { action: string; fields: Readonly<Record<string, string>> },
): FormTarget {
  const binding = csrfBinding(c)
  const { token } = c.csrf.issue(c.request, binding)
  return {
    action: pathIn(c.realm, ACCOUNT_PATH),
    fields: hiddenFields({ csrf_token: token, action, ...fields }),
    csrf_token: token,
    bound_to: binding.bound_to,
  }
}

/** What an extension shows on the account page with. */
export const userVisit = (c: AccountContext, extension: ExtensionParts): UserVisit => ({
  ...visitOf(c, extension),
  user: c.user,
  session: c.session,
  target: (action, fields) => targetOf(c, { action, fields }),
})

/** As they are stored now. */
export const factorsOf = ({ factors, user }: AccountContext & { factors: FactorParts }): Promise<Factor[]> =>
  factors.store.list(user.sub)

/** Of the extensions, as they are stored now. */
export async function sectionsOf(c: AccountContext): Promise<ExtensionSection[]> {
  const found = await Promise.all(c.extensions.map((one) => one.ways.section?.(userVisit(c, one)) ?? null))
  return found.flatMap((section) => section ?? [])
}

/** Whether the accounts that the user has elsewhere sign the user in. */
export const linksIn = (sections: readonly ExtensionSection[]): LinksSignIn =>
  (['alone', 'with_factor', 'without_factor'] as const).find((how) =>
    sections.some(({ signs_in }) => signs_in === how),
  ) ?? 'never'

export const linksOf = async (c: AccountContext): Promise<LinksSignIn> => linksIn(await sectionsOf(c))

const cookie = pageCookie('ostiary_account_done', /^[a-z_]{1,20}$/)
/** How long what a form has done is kept for the next page. */
export const NOTICE_SECONDS = 60

export const noticeCookie = ({ realm }: AccountContext, notice: Notice): string =>
  cookie.write(realm, notice, NOTICE_SECONDS)

/** Post/Redirect/Get: loading the page again does not repeat the action. */
export const redirectWithNotice = (
  c: AccountContext,
  notice: Notice,
  cookies: readonly string[] = [],
): Response =>
  withCookies(seeOther(urlIn(c.realm, ACCOUNT_PATH), { 'set-cookie': noticeCookie(c, notice) }), cookies)

/** The notice to show, and the cookie that removes it. */
export function takeNotice({ realm, request }: AccountContext): {
  notice: Notice | null
  cookie: string | null
} {
  const value = cookie.read(request, realm)
  const notice = NOTICES.find((name) => name === value) ?? null
  return { notice, cookie: value === null ? null : cookie.write(realm, '', 0) }
}
