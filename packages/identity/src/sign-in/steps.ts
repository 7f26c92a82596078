/** The pages of a sign-in after its first proof: the second step, and the first factor of an account that needs one. */

import { badForm } from '../pages/bad-form.js'
import { offerAnswers } from '../pages/factors/offer.js'
import { rememberField } from '../pages/factors/remembered.js'
import { chooseFactorPage, enrolmentPage, recoveryCodesPage, secondStepPage } from '../pages/factors/steps.js'
import { type Html, html } from '../pages/html.js'
import type { SignInPrompt } from '../pages/sign-in.js'
import type { FactorKind } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { LOGIN_PATH, pathIn } from '../web/paths.js'
import { withCookies } from './complete-sign-in.js'
import type { Enrolment, FactorContext, PageContext, RefusedProof, RememberedParts } from './context.js'
import { addFactor, enrolmentsOf, isAsked, mayAdd } from './enrolment.js'
import {
  afterStep,
  clientAsksForMore,
  expiredSignIn,
  mayLeaveOut,
  neededLevel,
  redirectToStep,
} from './finish.js'
import { mayOffer, offerAnswer } from './offer.js'
import { pageForm } from './page-form.js'
import { mayHavePassword } from './passwords-of.js'
import type { PendingSignIn } from './pending.js'
import { levelOf } from './proofs.js'
import { recoveryCodesFile } from './recovery-codes-file.js'
import { rememberDevice } from './remembered-devices.js'

/** A sign-in whose first proof is good, and its account as it is now. */
interface Begun {
  c: FactorContext
  prompt: SignInPrompt
  pending: PendingSignIn
  user: User
}

/** The sign-in that this browser has begun for the prompt; null when there is none, or the account has changed since. */
async function findBegun(c: PageContext, prompt: SignInPrompt): Promise<Begun | null> {
  const { factors, realm, request } = c
  if (factors === null) return null
  const { return_to } = prompt
  const pending = factors.pending.read({ request, realm, return_to, now: c.now() })
  const user = pending && (await c.users(realm.id).find(pending.sub))
  const is_same = user?.credential_version === pending?.credential_version
  // The realm may have ended passwords meanwhile.
  const may_go_on =
    (user && mayHavePassword(c, user)) || pending?.proofs.every(({ kind }) => kind !== 'password')
  return pending && user && is_same && may_go_on ? { c: { ...c, factors }, prompt, pending, user } : null
}

/** Nothing more is needed: the sign-in waits for the answer to the offer of a passkey. */
const isOffer = ({ c, prompt, user, pending }: Begun): boolean =>
  levelOf(pending.proofs) >= neededLevel(c, { prompt, user }, pending.proofs)

/** The page of the step that this browser has reached; null for the first one. */
export async function currentStep(c: PageContext, prompt: SignInPrompt): Promise<Response | null> {
  const begun = await findBegun(c, prompt)
  return begun && showStep(begun)
}

type RefusedStep = RefusedProof & { kind: FactorKind }

async function showStep(begun: Begun, refused: RefusedStep | null = null): Promise<Response> {
  const { c, prompt, user } = begun
  const factors = await c.factors.store.list(user.sub)
  const has_factor = factors.some(isAsked)
  if (!has_factor && isOffer(begun) && mayOffer(c)) return showEnrolment(begun, 'passkey')
  const form = pageForm(c, prompt.return_to)
  const target = form.target('second_step')
  const step = { user, factors, target, refused: refused?.kind ?? null, remember: rememberBox(begun) }
  const forms = c.factors.methods.flatMap((method) => {
    const shown = method.form(c, step)
    return shown === null ? [] : [{ kind: method.kind, form: shown }]
  })
  const view = {
    prompt,
    username: user.username,
    restart: form.target('restart'),
    asked_by_client: clientAsksForMore(c, prompt),
    cancel: form.target('cancel'),
    cookies: [form.set_cookie],
  }
  if (has_factor) return secondStepPage(c, { ...view, forms, refused })
  const kinds = mayAdd(c.factors, factors) ? enrolmentsOf(c.factors) : []
  return chooseFactorPage(c, { ...view, enrol: form.target('enrol'), kinds })
}

/** What the pages of the steps send. */
export const STEP_ACTIONS = [
  'second_step',
  'restart',
  'cancel',
  'enrol',
  'enrolled',
  'download',
  'continue',
] as const
export type StepAction = (typeof STEP_ACTIONS)[number]

/** Answers a form of a step. The CSRF token has been checked. */
export async function postStep(
  c: PageContext,
  prompt: SignInPrompt,
  { action, params }: { action: StepAction; params: URLSearchParams },
): Promise<Response> {
  const begun = await findBegun(c, prompt)
  if (begun === null) return expiredSignIn(c, prompt)
  if (action === 'restart') return restart(begun)
  if (action === 'download') return recoveryCodesFile(begun.c, begun.user, params)
  if (action === 'cancel') return cancel(begun)
  if (action === 'continue')
    return afterStep(begun.c, { ...begun, cookies: offerAnswer(begun.c, params) }, begun.pending)
  const kind = params.get(action === 'second_step' ? 'proof' : 'method') ?? ''
  if (action === 'second_step') return secondStep(begun, kind, params)
  return action === 'enrol' ? showEnrolment(begun, kind) : finishEnrolment(begun, kind, params)
}

/** Another account: the sign-in begins again. */
const restart = ({ c, prompt }: Begun): Response =>
  redirectToStep(c, prompt, [c.factors.pending.end(c.realm)])

/** Back to the client, which learns whether its own requirement was the reason. */
async function cancel({ c, prompt }: Begun): Promise<Response> {
  const { return_to } = prompt
  const error = clientAsksForMore(c, prompt) ? 'unmet_authentication_requirements' : 'access_denied'
  const answer = await c.provider.cancel(c.request, { return_to, error }, c.origin)
  return withCookies(answer, [c.factors.pending.end(c.realm)])
}

async function secondStep(begun: Begun, kind: string, params: URLSearchParams): Promise<Response> {
  const { c, prompt, user, pending } = begun
  const method = c.factors.methods.find((one) => one.kind === kind)
  if (!method) return badForm(c, { fault: 'malformed' })
  const factors = await c.factors.store.list(user.sub)
  const target = pageForm(c, prompt.return_to).target('second_step')
  const answer = await method.check(c, { user, factors, target }, params)
  if ('reason' in answer) {
    const { reason, limit } = answer
    const client_id = prompt.client?.client_id ?? null
    c.emit({ type: 'login.refused', reason, client_id, sub: user.sub, ...(limit && { limit }) })
    return showStep(begun, { ...answer, kind: method.kind })
  }
  const proved = { ...pending, proofs: [...pending.proofs, answer.proof] }
  const cookies = [c.devices.remember(c.request, c.realm, user)]
  const remembered = params.get('remember') === '1' ? mayRemember(begun) : null
  if (remembered) cookies.push(await rememberDevice(c, remembered, user))
  return afterStep(c, { prompt, user, cookies }, proved)
}

/** Where it would change the next sign-in. */
const mayRemember = (begun: Begun): RememberedParts | null =>
  mayLeaveOut(begun.c, begun, begun.pending.proofs) ? begun.c.factors.remembered : null

function rememberBox(begun: Begun): Html | null {
  const remembered = mayRemember(begun)
  return remembered && rememberField(begun.c.language, remembered.days)
}

/** Only an account without a factor that can be asked for adds one in a sign-in: its password alone must not add another. */
async function mayEnrol({ c, user }: Begun): Promise<boolean> {
  const factors = await c.factors.store.list(user.sub)
  return !factors.some(isAsked) && mayAdd(c.factors, factors)
}

async function showEnrolment(
  begun: Begun,
  kind: string,
  failed: Enrolment['failed'] = null,
): Promise<Response> {
  const { c, prompt, user } = begun
  const enrolment = enrolmentOf(begun, kind)
  if (enrolment === null) return badForm(c, { fault: 'malformed' })
  if (!(await mayEnrol(begun))) return showStep(begun)
  const form = pageForm(c, prompt.return_to)
  const { text } = c.language
  const intro = isOffer(begun) && { title: text('offer.title'), text: text('offer.explained') }
  const target = form.target('enrolled')
  const body = await enrolment.page(c, { user, factors: [], target, failed, ...(intro && { intro }) })
  const back = enrolmentsOf(c.factors).length > 1 && otherWay(c, prompt)
  return enrolmentPage(c, {
    realm: c.realm,
    ...intro,
    body,
    status: failed === null ? 200 : 422,
    cookies: [form.set_cookie],
    form_leads_to: leadsTo(prompt),
    back: intro ? offerAnswers(c.language, form.target('continue')) : back,
  })
}

/** Back to the choice: a browser may be without passkeys, and a user without a phone. */
const otherWay = (c: PageContext, { return_to }: SignInPrompt): Html =>
  html`<p class="small"><a class="switch" href="${`${pathIn(c.realm, LOGIN_PATH)}?${new URLSearchParams({ return_to })}`}">${c.language.text('enrol.other')}</a></p>`

/** The offer is that of a passkey: an app would turn on the second step. */
const enrolmentOf = (begun: Begun, kind: string) =>
  isOffer(begun) && kind !== 'passkey'
    ? null
    : (begun.c.factors.methods.find((method) => method.kind === kind)?.enrolment ?? null)

const leadsTo = ({ client }: SignInPrompt) => (client ? 'client' : 'self')

async function finishEnrolment(begun: Begun, kind: string, params: URLSearchParams): Promise<Response> {
  const { c, prompt, user, pending } = begun
  const enrolment = enrolmentOf(begun, kind)
  if (enrolment === null) return badForm(c, { fault: 'malformed' })
  if (!(await mayEnrol(begun))) return showStep(begun)
  const { return_to } = prompt
  const form = pageForm(c, return_to)
  const answer = await enrolment.finish(c, { user, factors: [], target: form.target('enrolled') }, params)
  if ('problem' in answer) return showEnrolment(begun, kind, { ...answer, params })
  const factors = await c.factors.store.list(user.sub)
  const added = await addFactor(c, { user, factors, factor: answer.factor })
  if (added === null) return expiredSignIn(c, prompt)
  const next = {
    ...pending,
    credential_version: added.user.credential_version,
    // A passkey that was offered does not raise the level of this sign-in: it is the first one, and the password has let it in.
    proofs: isOffer(begun) ? pending.proofs : [...pending.proofs, answer.proof],
  }
  const cookie = c.factors.pending.write(next, { realm: c.realm, return_to, now: c.now() })
  const cookies = [cookie, form.set_cookie]
  if (added.codes === null) return redirectToStep(c, prompt, cookies)
  return recoveryCodesPage(c, {
    realm: c.realm,
    codes: added.codes,
    user,
    now: c.now(),
    target: form.target('continue'),
    download: form.target('download'),
    cookies,
    form_leads_to: leadsTo(prompt),
  })
}
