/** What a browser gets at the path of the codes. GET and HEAD change nothing. */

import { usernameKey } from '@ostiary/core/common'
import type { Arrival, SignInVisit } from '@ostiary/identity'
import { newCode, readCode } from './code.js'
import { letterWith } from './letter.js'
import { countTry, takeTry } from './limits.js'
import { askPage, enterPage, PATH } from './pages.js'
import { textsOf } from './texts.js'
import {
  forget,
  isCode,
  isUnchanged,
  keep,
  newWaiting,
  type WaitingCode,
  waitingIn,
  withoutCode,
} from './waiting.js'

export async function answer(page: Arrival): Promise<Response> {
  if (page.request.method !== 'POST') {
    const values = new URL(page.request.url).searchParams.getAll('return_to')
    const c = await page.waiting(values.length === 1 ? (values[0] ?? '') : '')
    return c instanceof Response ? c : show(c)
  }
  const form = await page.form()
  if (form instanceof Response) return form
  const c = await page.posted()
  if (c instanceof Response) return c
  const code = form.get('code')
  return code === null ? send(c, form.get('username')) : check(c, code)
}

function show(c: SignInVisit): Response {
  const waiting = waitingIn(c, c.return_to)
  return waiting === null ? askPage(c, { username: c.login_hint ?? '' }) : enterPage(c, waiting)
}

/**
 * A known, an unknown, a disabled and an invited name cost the same: one look-up, the counters, and one stored mail. Whether there is an
 * address is decided when the mail is sent. @param typed Null: another code for the name that this browser has typed before.
 */
async function send(c: SignInVisit, typed: string | null): Promise<Response> {
  const username = (typed ?? waitingIn(c, c.return_to)?.username ?? '').trim()
  const to = usernameKey(username)
  const texts = textsOf(c.language.tag)
  if (to === null) return askPage(c, { username, problem: texts('no_name'), status: 422 })
  const away = c.elsewhere(username)
  if (away !== null) return away
  const user = await c.findTyped(to)
  const code = newCode()
  const { return_to } = c
  const waiting = newWaiting({ username, return_to, user, code }, c.now())
  const letter = letterWith(c, { code, username: user?.username ?? username })
  // The account is counted, whichever of its names was typed.
  const is_sent = await c.send({ to: user?.username_key ?? to, user, letter, expires_at: waiting.expires_at })
  const cookie = keep(c, is_sent ? waiting : withoutCode(waiting))
  const query = new URLSearchParams({ return_to })
  return c.redirect(`${c.realm.urls.issuer}${PATH}?${query}`, [cookie])
}

/** The try is counted before the code is compared, so that parallel guesses cannot exceed the limit. */
async function check(c: SignInVisit, typed: string): Promise<Response> {
  const texts = textsOf(c.language.tag)
  const waiting = waitingIn(c, c.return_to)
  if (waiting === null) return ended(c, null, { reason: 'stale_request' })
  const code = readCode(typed)
  if (code === null) return enterPage(c, waiting, { problem: texts('no_code'), status: 422 })
  const wait = await countTry(c)
  if (wait !== null) {
    refused(c, 'throttled')
    const problem = texts('throttled', { minutes: String(Math.ceil(wait / 60)) })
    return enterPage(c, waiting, { problem, status: 429 })
  }
  if (!(await takeTry(c, waiting))) return ended(c, waiting, { reason: 'wrong_code' })
  if (isCode(waiting, code)) return useCode(c, waiting)
  refused(c, 'wrong_code')
  return enterPage(c, waiting, { problem: texts('wrong'), status: 422 })
}

/** Who has the code reads the mails of the account. It counts once. */
async function useCode(c: SignInVisit, waiting: WaitingCode): Promise<Response> {
  const user = await c.findTyped(usernameKey(waiting.username))
  if (user === null || !isUnchanged(waiting, user)) return ended(c, waiting, { reason: 'stale_request' })
  const { sub, claims } = user
  // The delivery has dropped the mail.
  if (claims.email_verified !== true || c.isElsewhere(user))
    return ended(c, waiting, { reason: 'wrong_code', sub })
  if (user.disabled_at !== null) return ended(c, waiting, { reason: 'disabled', sub })
  if (!(await c.claim(waiting.id, waiting.expires_at)))
    return ended(c, waiting, { reason: 'code_reused', sub })
  return c.finish({
    user,
    second_factor: await c.needsFactor(user),
    marks: [],
    known_device: true,
    cookies: [forget(c)],
  })
}

type Reason = 'wrong_code' | 'code_reused' | 'stale_request' | 'disabled' | 'throttled'

const refused = ({ emit, client_id }: SignInVisit, reason: Reason, sub: string | null = null): void =>
  emit({ type: 'login.refused', reason, client_id, sub })

/** The page that asks for another code. */
function ended(
  c: SignInVisit,
  waiting: WaitingCode | null,
  { reason, sub = null }: { reason: Reason; sub?: string | null },
): Response {
  refused(c, reason, sub)
  const username = waiting?.username ?? c.login_hint ?? ''
  const problem = textsOf(c.language.tag)('ended')
  return askPage(c, { username, problem, status: 422, cookies: [forget(c)] })
}
