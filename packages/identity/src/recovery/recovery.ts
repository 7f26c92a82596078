/** The steps after the link: the user decides about each factor, adds a way to sign in, and gets new recovery codes. */

import type { FormProblem } from '../pages/account-view.js'
import { enrolmentPage, recoveryCodesPage } from '../pages/factors/steps.js'
import { html } from '../pages/html.js'
import { choicePage } from '../pages/recovery/choice.js'
import { decisionPage } from '../pages/recovery/decision.js'
import { donePage } from '../pages/recovery/ticket.js'
import type { RecoveryContext } from '../sign-in/context.js'
import { enrolmentsOf, isAsked, MAX_FACTORS } from '../sign-in/enrolment.js'
import { visitOf } from '../sign-in/extensions/visit.js'
import { endWith } from '../sign-in/finish.js'
import { findPrompt } from '../sign-in/login.js'
import { hashedPassword, newPasswordFault, newPasswordView } from '../sign-in/new-password.js'
import { hasPassword, mayHavePassword } from '../sign-in/passwords-of.js'
import { recoveryCodesFile } from '../sign-in/recovery-codes-file.js'
import { redirectToFlow } from '../sign-in/recovery-step.js'
import { finishSignUp } from '../sign-in/sign-up/visit.js'
import { changedUser } from '../users/changed-user.js'
import { pickFields } from '../web/form.js'
import { ACCOUNT_PATH, pathIn, TICKET_PATH } from '../web/paths.js'
import {
  decidedOf,
  endAccess,
  flowForm,
  isCurrent,
  keptOf,
  missingOf,
  type Recovery,
  refuseRecovery,
} from './flow.js'

/** The recovery that this browser has begun; null when there is none, or the account was changed by something else. */
export async function currentRecovery(c: RecoveryContext): Promise<Recovery | null> {
  const state = c.recovery.states.read(c.request, c.realm, c.now())
  const user = state && (await c.users(c.realm.id).find(state.sub))
  if (!state || !user || !isCurrent(user, state)) return null
  const linked = await Promise.all(c.extensions.map((one) => one.ways.linked?.(visitOf(c, one), user) ?? []))
  return { c, state, user, factors: (await c.factors?.store.list(user.sub)) ?? [], linked: linked.flat() }
}

/** The page of the step. @param decided What the form of the decision has sent. */
export function showRecovery(
  recovery: Recovery,
  problem: FormProblem | null = null,
  decided = new URLSearchParams(),
): Response {
  const { c, state, user } = recovery
  const { target, set_cookie } = flowForm(recovery)
  const form_leads_to = leadsTo(recovery)
  const shared = { realm: c.realm, username: user.username, problem, cookies: [set_cookie], form_leads_to }
  if (state.done) return donePage(c, { ...shared, invited: state.invited, target: target('saved') })
  const items = decidedOf(recovery)
  if (state.remove === null && items.length > 0)
    return decisionPage(c, {
      ...shared,
      target: target('decide'),
      items,
      decided,
    })
  return choicePage(c, {
    ...shared,
    kinds: mayAdd(recovery) && c.factors ? enrolmentsOf(c.factors) : [],
    enrol: target('enrol'),
    password: state.password || !mayHavePassword(c, user) ? null : target('password'),
    password_set: state.password,
    ...newPasswordView(c),
    has_password: hasPassword(c, user),
    finish: target('finish'),
    missing: missingOf(recovery),
    added: hasAdded(recovery),
  })
}

/** A new user may go on to the application whose sign-in waits. */
const leadsTo = ({ c }: Recovery): 'client' | 'self' => (c.sign_up ? 'client' : 'self')

const hasAdded = ({ state }: Recovery): boolean => state.proofs.length > 1

/** One factor: others can be added on the account page. */
const mayAdd = (recovery: Recovery): boolean => !hasAdded(recovery) && keptOf(recovery).length < MAX_FACTORS

type Action = (recovery: Recovery, params: URLSearchParams) => Promise<Response | null>

/** Null for an action that there is not. A step that was not reached, or is over, leads to the one that is. */
export const actionOf = (name: string): Action | null => ACTIONS.get(name) ?? null

const ACTIONS = new Map<string, Action>([
  ['decide', beforeEnd(decide)],
  ['enrol', afterDecision(async (recovery, params) => showEnrolment(recovery, params))],
  ['enrolled', afterDecision(enrolled)],
  ['password', afterDecision(setPassword)],
  ['finish', afterDecision(finish)],
  ['download', async ({ c, user }, params) => recoveryCodesFile(c, user, params)],
  ['saved', async (recovery) => (recovery.state.done ? signIn(recovery) : showRecovery(recovery))],
])

function beforeEnd(action: Action): Action {
  return async (recovery, params) => (recovery.state.done ? showRecovery(recovery) : action(recovery, params))
}

function afterDecision(action: Action): Action {
  return beforeEnd(async (recovery, params) =>
    recovery.state.remove === null && decidedOf(recovery).length > 0
      ? showRecovery(recovery)
      : action(recovery, params),
  )
}

/** Each factor, and each account elsewhere, is decided about. Nothing is removed before the end. */
async function decide(recovery: Recovery, params: URLSearchParams): Promise<Response> {
  const { c, state } = recovery
  const items = decidedOf(recovery)
  const decisions = items.map(({ id }) => params.getAll(id).join())
  if (decisions.every((decision) => decision === 'keep' || decision === 'remove')) {
    const remove = items.filter((_, index) => decisions[index] === 'remove').map(({ id }) => id)
    return redirectToFlow(c, { ...state, remove })
  }
  const problem = { status: 422, text: c.language.text('regain.undecided') }
  return showRecovery({ ...recovery, state: { ...state, remove: null } }, problem, params)
}

/** Null for a kind that cannot be added. */
function enrolmentOf(recovery: Recovery, params: URLSearchParams) {
  const parts = recovery.c.factors
  const method = parts?.methods.find(({ kind }) => kind === params.get('method'))
  if (parts === null || !method?.enrolment || !mayAdd(recovery)) return null
  const c = { ...recovery.c, factors: parts }
  const { target, set_cookie } = flowForm(recovery)
  return {
    c,
    parts,
    enrolment: method.enrolment,
    set_cookie,
    step: { user: recovery.user, factors: keptOf(recovery), target: target('enrolled') },
  }
}

async function showEnrolment(
  recovery: Recovery,
  params: URLSearchParams,
  problem: string | null = null,
): Promise<Response> {
  const found = enrolmentOf(recovery, params)
  if (found === null) return showRecovery(recovery)
  const { c, enrolment, step } = found
  const failed = problem === null ? null : { problem, params }
  return enrolmentPage(c, {
    realm: c.realm,
    body: await enrolment.page(c, { ...step, failed }),
    status: failed === null ? 200 : 422,
    cookies: [found.set_cookie],
    form_leads_to: 'self',
    back: html`<p class="small"><a class="switch" href="${pathIn(c.realm, TICKET_PATH)}">${c.language.text('enrol.other')}</a></p>`,
  })
}

/** Stores the factor at once: a user who goes away now has it, and everything else as before. */
async function enrolled(recovery: Recovery, params: URLSearchParams): Promise<Response> {
  const found = enrolmentOf(recovery, params)
  if (found === null) return showRecovery(recovery)
  const { c, parts, enrolment, step } = found
  const answer = await enrolment.finish(c, step, params)
  if ('problem' in answer) return showEnrolment(recovery, params, answer.problem)
  const { state } = recovery
  const { sub, credential_version } = recovery.user
  const { factor, proof } = answer
  const change = { sub, add: [factor], ...(factor.kind === 'totp' && { second_step: true }) }
  if (!(await parts.store.change(change, { credential_version, now: c.now() })))
    return refuseRecovery(recovery.c, { reason: 'changed_meanwhile', sub })
  c.emit({ type: 'factor.added', kind: factor.kind, sub })
  return redirectToFlow(recovery.c, {
    ...nextVersion(state),
    remove: state.remove ?? [],
    proofs: [...state.proofs, proof],
  })
}

const nextVersion = (state: Recovery['state']): Recovery['state'] => ({
  ...state,
  credential_version: state.credential_version + 1,
})

async function setPassword(recovery: Recovery, params: URLSearchParams): Promise<Response | null> {
  const { c, state, user } = recovery
  const form = pickFields(params, ['new_password', 'new_password_again'])
  if ('fault' in form || !mayHavePassword(c, user)) return null
  const { new_password, new_password_again } = form.fields
  const fault = await newPasswordFault(c, { user, password: new_password, again: new_password_again })
  if (fault !== null) return showRecovery(recovery, fault)
  const password_hash = await hashedPassword(c, new_password)
  if (typeof password_hash !== 'string') return showRecovery(recovery, password_hash)
  const changed = changedUser(user, { password_hash }, c.now())
  if (!(await c.users(c.realm.id).update(changed, user.updated_at)))
    return refuseRecovery(c, { reason: 'changed_meanwhile', sub: user.sub })
  c.emit({ type: 'recovery.password_set', sub: user.sub })
  return redirectToFlow(c, { ...nextVersion(state), password: true })
}

/** Removes what the user has decided to remove, and replaces the recovery codes, in one change. */
async function finish(recovery: Recovery): Promise<Response> {
  const { c, state, user, factors } = recovery
  if (missingOf(recovery) !== null) return showRecovery(recovery)
  const { sub, credential_version, second_step } = user
  const kept = keptOf(recovery)
  const removed = factors.filter((factor) => !kept.includes(factor))
  const set = c.factors && kept.length > 0 ? c.factors.newRecoveryCodes(sub, c.now()) : null
  let next = { ...state, done: true }
  if (c.factors && factors.length > 0) {
    const change = {
      sub,
      add: set === null ? [] : [set.factor],
      remove: removed.map(({ factor_id }) => factor_id),
      // Without a second factor, its switch has no use.
      second_step: second_step && kept.length > 0,
    }
    if (!(await c.factors.store.change(change, { credential_version, now: c.now() })))
      return refuseRecovery(c, { reason: 'changed_meanwhile', sub })
    next = { ...nextVersion(state), done: true }
  }
  for (const link of recovery.linked.filter(({ id }) => state.remove?.includes(id))) {
    if (!(await link.remove(next.credential_version)))
      return refuseRecovery(c, { reason: 'changed_meanwhile', sub })
    next = nextVersion(next)
  }
  for (const { kind } of removed.filter(isAsked)) c.emit({ type: 'factor.removed', kind, sub })
  if (set !== null) c.emit({ type: 'recovery_codes.created', sub })
  if (!state.invited) c.emit({ type: 'recovery.completed', sub })
  const ended = { ...recovery, state: next, user: { ...user, credential_version: next.credential_version } }
  // A session that began meanwhile, with what the account had before, ends too.
  await endAccess(c, sub)
  if (set === null) return signIn(ended)
  const { target, set_cookie } = flowForm(ended)
  return recoveryCodesPage(c, {
    realm: c.realm,
    codes: set.codes,
    user,
    now: c.now(),
    target: target('saved'),
    download: target('download'),
    cookies: [c.recovery.states.write(next, c.realm, c.now()), set_cookie],
    form_leads_to: leadsTo(ended),
  })
}

async function signIn({ c, state, user }: Recovery): Promise<Response> {
  const { sub, username } = user
  if (!(await c.recovery.claim(state.id, state.expires_at)))
    return refuseRecovery(c, { reason: 'unknown_ticket', sub })
  const cookies = [c.recovery.states.end(c.realm), c.devices.remember(c.request, c.realm, user)]
  const { proofs, invited } = state
  const finished = invited && c.sign_up ? await finishSignUp(c, { user, cookies, proofs }) : null
  if (finished) return finished
  const prompt = await findPrompt(c, ACCOUNT_PATH)
  if (prompt === null)
    return donePage(c, { realm: c.realm, username, invited, target: null, cookies: cookies.slice(0, 1) })
  return endWith(c, { prompt, user, cookies }, state.waited ? proofs.slice(0, 1) : proofs)
}
