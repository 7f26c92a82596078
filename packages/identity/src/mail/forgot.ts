/** The page on which a user asks for a mail for a new password. Nothing on it tells whether there is such an account. */

import { MAX_USERNAME_LENGTH, usernameKey } from '@ostiary/core/common'
import { badForm } from '../pages/bad-form.js'
import { type AbuseAnswer, checkAbuse } from '../sign-in/abuse.js'
import type { MailContext } from '../sign-in/context.js'
import { elsewhere } from '../sign-in/login.js'
import { hiddenFields } from '../sign-in/page-form.js'
import { isElsewhere } from '../sign-in/passwords-of.js'
import { pickFields, readForm } from '../web/form.js'
import { ACCOUNT_PATH, accountPath, FORGOT_PATH, LOGIN_PATH, pathIn, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { originOf, sendOnce } from './ask-mail.js'
import { forgotPage, sentPage } from './forgot-page.js'

/** The longest `return_to` that the page gives back to the sign-in. */
const MAX_RETURN_TO_LENGTH = 4096

export async function getForgot(c: MailContext): Promise<Response> {
  const { searchParams } = new URL(c.request.url)
  const return_to = returnTo(searchParams)
  if (searchParams.has('sent')) return sentPage(c, { realm: c.realm, back: backTo(c, return_to) })
  return showForgot(c, { return_to, username: '' })
}

export async function postForgot(c: MailContext): Promise<Response> {
  const form = await readForm(c)
  if ('fault' in form) return badForm(c, form)
  const fields = pickFields(form.params, ['csrf_token', 'username'])
  if ('fault' in fields) return badForm(c, fields)
  const { csrf_token, username } = fields.fields
  const return_to = returnTo(form.params)
  if (!c.csrf.valid(c.request, { realm: c.realm, bound_to: FORGOT_PATH }, csrf_token))
    return showForgot(c, {
      return_to,
      username,
      problem: c.language.text('sign_in.not_confirmed'),
      status: 403,
    })
  const is_elsewhere = isElsewhere(c, { username, claims: {} })
  const away = is_elsewhere ? elsewhere(c, { username, return_to: return_to || ACCOUNT_PATH }) : null
  if (away !== null) return away
  const stop = await checkAbuse(c, 'forgot', form.params)
  if (stop instanceof Response) return stop
  if (stop !== null) return showForgot(c, { return_to, username, ...stop })
  await askForMail(c, username)
  const query = new URLSearchParams({ sent: '', ...(return_to !== '' && { return_to }) })
  return seeOther(`${urlIn(c.realm, FORGOT_PATH)}?${query}`)
}

/**
 * A known, an unknown and a disabled name cost the same: one look-up, the counters, and one stored mail. Whether there is an account, and an
 * address, is decided when the mail is sent.
 */
async function askForMail(c: MailContext, username: string): Promise<void> {
  const username_key = usernameKey(username)
  // No account can have such a name.
  if (username_key === null) return
  const user = await c.findTyped(username_key)
  const sub = user?.sub ?? null
  const device = c.devices.find(c.request, c.realm, user)
  const content = { kind: 'reset', username, ...originOf(c) } as const
  // The account is counted, whichever of its names was typed.
  const asked = { username_key: user?.username_key ?? username_key, device, content, sub }
  await sendOnce(c, asked, { type: 'recovery.requested', sub })
}

/** Empty when it is absent, or cannot be that of a sign-in. */
function returnTo(params: URLSearchParams): string {
  const value = params.get('return_to') ?? ''
  return value.length <= MAX_RETURN_TO_LENGTH ? value : ''
}

/** Null where there is nothing to go back to. */
function backTo({ realm, has_account_page }: MailContext, return_to: string): string | null {
  if (return_to !== '') return `${pathIn(realm, LOGIN_PATH)}?${new URLSearchParams({ return_to })}`
  return accountPath(realm, has_account_page)
}

interface Shown extends Partial<Omit<AbuseAnswer, 'status'>> {
  return_to: string
  username: string
  status?: 200 | AbuseAnswer['status']
}

function showForgot(
  c: MailContext,
  { return_to, username, problem = '', more = null, status = 200 }: Shown,
): Response {
  const { token, set_cookie } = c.csrf.issue(c.request, { realm: c.realm, bound_to: FORGOT_PATH })
  return forgotPage(c, {
    title: c.language.text(c.regain ? 'ticket.title' : 'forgot.title'),
    realm: c.realm,
    action: pathIn(c.realm, FORGOT_PATH),
    fields: hiddenFields({ csrf_token: token, ...(return_to !== '' && { return_to }) }),
    username: username.slice(0, MAX_USERNAME_LENGTH),
    problem,
    more,
    back: backTo(c, return_to),
    form_leads_to: c.extensions.length > 0 ? 'client' : 'self',
    cookies: [set_cookie],
    status,
  })
}
