/** Whose account page it is, and what its forms lead to. */

import type { Claims, Management, Session } from '@ostiary/core'
import type { PageContext } from '../sign-in/context.js'
import type { User } from '../users/user-store.js'
import { pageCookie } from '../web/cookies.js'
import type { FormBinding } from '../web/csrf.js'
import { ACCOUNT_PATH, urlIn } from '../web/paths.js'

export interface AccountContext extends PageContext {
  /** The one of this browser. */
  session: Session
  user: User
  /** As the provider knows them. */
  claims: Claims
  management: Management
}

/** Null when nobody is signed in with this browser. */
export async function accountContext(c: PageContext): Promise<AccountContext | null> {
  const present = await c.provider.session(c.request)
  const user = present && (await c.users(c.realm.id).find(present.session.sub))
  if (!present || !user) return null
  const { session } = present
  const management = await c.provider.manage(c.realm.id)
  return { ...c, session, user, claims: present.user.claims, management }
}

/** Bound to the session, so that a form from before a sign-in is good for nothing after it. */
export const csrfBinding = ({ realm, session }: AccountContext): FormBinding => ({
  realm,
  return_to: `${ACCOUNT_PATH} ${session.sid}`,
})

/** What the page confirms once, after the redirect that follows a form. */
export type Notice =
  | 'password'
  | 'session'
  | 'session_gone'
  | 'others'
  | 'withdrawn'
  | 'withdrawn_before'
  | 'access_ended'

const cookie = pageCookie('ostiary_account_done', /^[a-z_]{1,20}$/)
const NOTICE_SECONDS = 60

export const noticeCookie = ({ realm }: AccountContext, notice: Notice): string =>
  cookie.write(realm, notice, NOTICE_SECONDS)

/** Post/Redirect/Get: loading the page again does nothing again. */
export const redirectWithNotice = (c: AccountContext, notice: Notice): Response =>
  seeOther(urlIn(c.realm, ACCOUNT_PATH), { 'set-cookie': noticeCookie(c, notice) })

export const seeOther = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
  })

/** The confirmation that waits, and the cookie that forgets it. */
export function takeNotice({ realm, request }: AccountContext): {
  notice: string | null
  cookie: string | null
} {
  const notice = cookie.read(request, realm)
  return { notice, cookie: notice === null ? null : cookie.write(realm, '', 0) }
}
