/** The steps after a proof: the next one, or the session. */

import { meetsAcrValues, type Session } from '@ostiary/core'
import { errorPage } from '../pages/error.js'
import type { SignInPrompt } from '../pages/sign-in.js'
import type { User } from '../users/user-store.js'
import { LOGIN_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { completeSignIn, withCookies } from './complete-sign-in.js'
import type { PageContext } from './context.js'
import { visitOf } from './extensions/visit.js'
import { offerCookie } from './offer.js'
import type { PendingSignIn } from './pending.js'
import { acrOf, amrOf, type Level, levelOf, type SignInProof } from './proofs.js'
import { beforeGoingOn } from './recovery-step.js'
import { recognizeDevice, UNKNOWN_DEVICE } from './remembered-devices.js'

type UpstreamProof = Extract<SignInProof, { kind: 'upstream' }>

interface Proved {
  prompt: SignInPrompt
  user: User
  cookies: string[]
  /** The browser becomes a known device of the account when the sign-in ends with this proof. */
  known_device?: boolean
}

/** After the password: the session, the offer of a passkey, or the second step. @param sent The form of the password. */
export async function afterPassword(
  c: PageContext,
  proved: Proved,
  sent: URLSearchParams,
): Promise<Response> {
  const proof: SignInProof = { kind: 'password', at: c.now() }
  const { factors } = c
  if (factors === null) return endWith(c, proved, [proof])
  const pending = factors.pending.begin(proved.user, proof)
  // Without the cookie of a known device: who knows the password alone has not signed in, and gets no limit of its own.
  if (neededLevel(c, proved) === 2) {
    const { remembered, cookies } = mayLeaveOut(c, proved)
      ? await recognizeDevice({ ...c, factors }, proved.user)
      : UNKNOWN_DEVICE
    if (remembered) return endWith(c, { ...proved, cookies: [...proved.cookies, ...cookies] }, [proof])
    return withCookies(askForNext(c, proved.prompt, pending), cookies)
  }
  const offer = await offerCookie({ ...c, factors }, proved.user, sent)
  if (offer === null) return endWith(c, proved, [proof])
  return withCookies(askForNext(c, proved.prompt, pending), [...proved.cookies, offer])
}

/** After another proof of a pending sign-in. */
export async function afterStep(c: PageContext, proved: Proved, pending: PendingSignIn): Promise<Response> {
  const { id, expires_at, proofs } = pending
  if (levelOf(proofs) < neededLevel(c, proved, proofs)) return askForNext(c, proved.prompt, pending)
  return endOnce(c, proved, { proofs, once: { id, expires_at } })
}

/** After a proof that was given elsewhere: the session, or the second step. */
export const afterUpstream = (
  c: PageContext,
  proved: Proved,
  proof_of: Omit<UpstreamProof, 'kind' | 'at'>,
): Promise<Response> => afterProofs(c, proved, [{ kind: 'upstream', at: c.now(), ...proof_of }])

/** The session, or the next step. */
export async function afterProofs(
  c: PageContext,
  proved: Proved,
  proofs: [SignInProof, ...SignInProof[]],
): Promise<Response> {
  const { factors } = c
  if (factors === null || levelOf(proofs) >= neededLevel(c, proved, proofs)) {
    const device = proved.known_device ? [c.devices.remember(c.request, c.realm, proved.user)] : []
    return endWith(c, { ...proved, cookies: [...proved.cookies, ...device] }, proofs)
  }
  const pending = { ...factors.pending.begin(proved.user, proofs[0]), proofs }
  return withCookies(askForNext(c, proved.prompt, pending), proved.cookies)
}

/** The level that this sign-in has to reach, with what was proved. */
export function neededLevel(
  c: PageContext,
  { prompt, user }: Pick<Proved, 'prompt' | 'user'>,
  proofs: readonly SignInProof[] = [],
): Level {
  const { settings, methods } = c.factors ?? { settings: null, methods: [] }
  // Where nothing reaches level 2, the provider answers the client that asks for it.
  if (settings === null || methods.every(({ enrolment }) => enrolment === null)) return 1
  const needs_second =
    user.second_step || proofs.some((proof) => proof.kind === 'upstream' && proof.second_factor)
  return settings.second_factor === 'required' || needs_second || clientAsksForMore(c, prompt) ? 2 : 1
}

/** Whether nothing but the user's own switch asks for the second step after the password. */
export const mayLeaveOut = (
  c: PageContext,
  { prompt, user }: Pick<Proved, 'prompt' | 'user'>,
  proofs: readonly SignInProof[] = [],
): boolean =>
  proofs.every(({ kind }) => kind === 'password') &&
  neededLevel(c, { prompt, user: { ...user, second_step: false } }) === 1

/** Whether the client asks for level 2. */
export const clientAsksForMore = ({ realm }: PageContext, prompt: SignInPrompt): boolean =>
  !meetsAcrValues(prompt, acrOf(realm, 1), realm.settings)

function askForNext(c: PageContext, prompt: SignInPrompt, pending: PendingSignIn): Response {
  const { return_to } = prompt
  const cookie = c.factors?.pending.write(pending, { realm: c.realm, return_to, now: c.now() })
  return redirectToStep(c, prompt, [cookie ?? null])
}

/** Which page it shows follows from the cookie of the pending sign-in. */
export function redirectToStep(
  { realm }: PageContext,
  { return_to }: SignInPrompt,
  cookies: readonly (string | null)[],
): Response {
  const response = seeOther(`${urlIn(realm, LOGIN_PATH)}?${new URLSearchParams({ return_to })}`)
  for (const cookie of cookies) if (cookie !== null) response.headers.append('set-cookie', cookie)
  return response
}

interface Once {
  proofs: readonly SignInProof[]
  once: { id: string; expires_at: number }
}

/** Ends a sign-in that is more than a password: its id is claimed, so that what a browser has sent counts once. */
export async function endOnce(c: PageContext, proved: Proved, { proofs, once }: Once): Promise<Response> {
  if (c.factors === null || !(await c.factors.claim(once.id, once.expires_at)))
    return expiredSignIn(c, proved.prompt)
  return endWith(c, { ...proved, cookies: [...proved.cookies, c.factors.pending.end(c.realm)] }, proofs)
}

/** The session, or what comes in its place. */
export async function endWith(
  c: PageContext,
  { prompt, user, cookies }: Proved,
  proofs: readonly SignInProof[],
): Promise<Response> {
  const { sub, username } = user
  for (const one of c.extensions) {
    const visit = { ...visitOf(c, one), user, proofs, return_to: prompt.return_to }
    const shown = await one.ways.interrupt?.(visit)
    if (shown) return withCookies(shown, cookies)
  }
  const return_to = prompt.client === null ? { path: prompt.return_to } : prompt.return_to
  const acr = acrOf(c.realm, levelOf(proofs))
  const login = { sub, username, amr: amrOf(proofs), acr, return_to, still_valid: isUnchanged(c, user) }
  const response = await completeSignIn(c, login, cookies)
  for (const proof of proofs)
    if (proof.kind === 'upstream' && proof.marks.length > 0) await markSession(c, response, proof)
  return beforeGoingOn(c, user, response)
}

/** Each mark is claimed together with the id of the session that has begun, until the session ends. */
async function markSession(
  c: PageContext,
  { headers }: Response,
  { by, marks }: UpstreamProof,
): Promise<void> {
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const begun = await c.provider.session(new Request(c.request.url, { headers: { cookie } }), c.origin)
  const extension = c.extensions.find(({ ways }) => ways.name === by)
  for (const mark of begun ? marks : [])
    await extension?.claim(`${mark} ${begun?.session.sid}`, begun?.session.expires_at ?? 0)
}

/**
 * A password change ends all sessions. A session that starts after it with the old password must not remain. The same is true of a factor
 * that was removed, and of a user who was disabled.
 */
export const isUnchanged =
  (c: PageContext, { sub, credential_version }: User) =>
  async (session: Session): Promise<boolean> => {
    const current = await c.users(c.realm.id).find(sub, session)
    return current?.credential_version === credential_version && current.disabled_at === null
  }

export function expiredSignIn(c: PageContext, prompt: SignInPrompt | null = null): Response {
  const client_id = prompt?.client?.client_id ?? null
  c.emit({ type: 'login.refused', reason: 'stale_request', client_id, sub: null })
  return errorPage(c, { realm: c.realm, status: 400, code: 'invalid_request', kind: 'expired' })
}
