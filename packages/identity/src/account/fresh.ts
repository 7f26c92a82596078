/** Whether the user has proved recently enough that it is them, and the page that asks for it. */

import type { AccountAction } from '../events.js'
import { confirmPage } from '../pages/confirm.js'
import { confirmStepPage, passwordField } from '../pages/factors/confirm-step.js'
import type { RefusedForm } from '../pages/factors/steps.js'
import { type Html, html } from '../pages/html.js'
import { confirmSignIn } from '../sign-in/complete-sign-in.js'
import type { FactorParts, Step } from '../sign-in/context.js'
import { isAsked } from '../sign-in/enrolment.js'
import { isUnchanged } from '../sign-in/finish.js'
import { hasPassword } from '../sign-in/passwords-of.js'
import { acrOf, amrOf, levelOf, levelOfSession, type SignInProof } from '../sign-in/proofs.js'
import type { Factor, FactorKind } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { pickFields } from '../web/form.js'
import { ACCOUNT_PATH } from '../web/paths.js'
import { type AccountContext, csrfBinding, factorsOf, targetOf, userVisit } from './context.js'
import { passwordProblem, report } from './password-problem.js'

/** What is to be done, with the fields of its form, which the page keeps. */
export interface Question {
  action: AccountAction
  fields: Readonly<Record<string, string>>
  /** How old the proof may be, in seconds; `FRESH_SECONDS` when absent. */
  seconds?: number
}

export interface Fresh {
  /** Of a session that was raised. */
  cookies: string[]
  /** Given with this form; none when the session has proved enough. */
  proofs: readonly SignInProof[]
}

const FRESH: Fresh = { cookies: [], proofs: [] }

/** What opens the account later asks for a proof of the last five minutes. */
export const FRESH_SECONDS = 300

/** The account with its factors. */
type FactorAccount = AccountContext & { factors: FactorParts }

export const hasSecondFactor = (factors: readonly Factor[]): boolean => factors.some(isAsked)

/**
 * Lets go on who has given a proof of the strongest kind that the account has, and not long ago; or gives one with this form: then the
 * session is raised. Otherwise the page that asks for it.
 */
export async function requireFresh(
  c: AccountContext,
  params: URLSearchParams,
  question: Question,
): Promise<Response | Fresh> {
  const { factors } = c
  if (factors === null) return (await askForPassword(c, params, question)) ?? FRESH
  const account = { ...c, factors }
  const stored = await factorsOf(account)
  if (isFresh(c, stored, question.seconds ?? FRESH_SECONDS)) return FRESH
  if (hasPasswordAlone(c, stored) && endsSessions(question.action))
    return (await askForPassword(c, params, question)) ?? FRESH
  const answer = await proofsOf(account, { stored, question, params })
  if (!('proofs' in answer)) return showConfirm(account, { stored, question, refused: answer.refused })
  return raise(c, { user: c.user, proofs: answer.proofs })
}

export function isFresh(
  { session, now }: AccountContext,
  factors: readonly Factor[],
  seconds: number,
): boolean {
  const { auth_time } = session
  const is_strong = levelOfSession(session) === 2 || !hasSecondFactor(factors)
  return is_strong && auth_time !== null && now() - auth_time < seconds
}

/** The password that was given in this session not long ago: a first factor that is added now counts beside it, as at a sign-in. */
export function recentPassword({ session, now }: AccountContext): SignInProof[] {
  const { auth_time: at, amr } = session
  const is_recent = at !== null && now() - at < FRESH_SECONDS && amr.includes('pwd')
  return is_recent ? [{ kind: 'password', at }] : []
}

const hasPasswordAlone = (c: AccountContext, factors: readonly Factor[]): boolean =>
  hasPassword(c, c.user) && !hasSecondFactor(factors)

const endsSessions = (action: AccountAction): action is 'end_session' | 'end_others' =>
  action === 'end_session' || action === 'end_others'

interface Asked {
  stored: readonly Factor[]
  question: Question
  params: URLSearchParams
}

type Proofs = { proofs: SignInProof[] } | { refused: RefusedForm | null }

/** The proofs that the form has sent. A code counts beside the password, where the account has one. */
async function proofsOf(c: FactorAccount, { stored, question, params }: Asked): Promise<Proofs> {
  const kind = params.get('proof')
  const needs_password = kind === 'password' || (kind !== 'passkey' && hasPassword(c, c.user))
  const method = c.factors.methods.find((one) => one.kind === kind)
  const is_enough = method !== undefined || (kind === 'password' && hasPasswordAlone(c, stored))
  if (!is_enough || !mayAsk(c, kind)) return { refused: null }
  const proofs: SignInProof[] = []
  if (needs_password) {
    const form = pickFields(params, ['current_password'])
    const password = 'fault' in form ? '' : form.fields.current_password
    const refused = await passwordProblem(c, question.action, password)
    if (refused !== null) return { refused: { ...refused, kind: method?.kind ?? null, password: true } }
    proofs.push({ kind: 'password', at: c.now() })
  }
  if (method === undefined) return { proofs }
  const answer = await method.check(c, stepOf(c, stored, question), params)
  if ('proof' in answer) return { proofs: [...proofs, answer.proof] }
  const { reason, limit } = answer
  report(c, { action: question.action, reason, ...(limit && { limit }) })
  return { refused: { ...answer, kind: method.kind } }
}

/** Without a password, a code of an app would be the only proof; a code of last resort may stand in for a lost passkey. */
const mayAsk = (c: FactorAccount, kind: string | null): boolean => kind !== 'totp' || hasPassword(c, c.user)

function stepOf(c: FactorAccount, factors: readonly Factor[], question: Question): Step {
  return { user: c.user, factors, target: targetOf(c, question) }
}

interface Confirm {
  stored: readonly Factor[]
  question: Question
  refused: RefusedForm | null
}

async function showConfirm(c: FactorAccount, { stored, question, refused }: Confirm): Promise<Response> {
  const target = targetOf(c, question)
  const has_password = hasPassword(c, c.user)
  const is_recovery = refused?.kind === 'recovery'
  const withPassword = (of: FactorKind) =>
    has_password
      ? {
          ...target,
          fields: html`${target.fields}\n${passwordField(c.language, { of, autofocus: (of === 'recovery') === is_recovery })}`,
        }
      : target
  const forms = c.factors.methods.flatMap(({ kind, form }) => {
    const step = {
      user: c.user,
      factors: stored,
      target: kind === 'passkey' ? target : withPassword(kind),
      refused: refused?.password ? null : (refused?.kind ?? null),
    }
    const shown = mayAsk(c, kind) ? form(c, step) : null
    return shown === null ? [] : [{ kind, form: shown }]
  })
  return confirmStepPage(c, {
    realm: c.realm,
    username: c.user.username,
    forms,
    password: hasPasswordAlone(c, stored) ? target : null,
    // It is of level 1.
    others: hasSecondFactor(stored) ? [] : await proofsElsewhere(c),
    refused,
  })
}

/** The session goes on with a new time and a new cookie. Other applications notice nothing. */
export async function raise(
  c: AccountContext,
  { user, proofs }: { user: User; proofs: readonly SignInProof[] },
): Promise<Response | Fresh> {
  const { realm } = c
  const { sub, username } = user
  const acr = acrOf(realm, levelOf(proofs))
  const login = {
    sub,
    username,
    amr: amrOf(proofs),
    acr,
    return_to: { path: ACCOUNT_PATH },
    still_valid: isUnchanged(c, user),
  }
  const response = await confirmSignIn(c, login, [])
  return response.status === 303 ? { cookies: response.headers.getSetCookie(), proofs } : response
}

/**
 * For an account that has a password alone: the page that asks for it; null when the sign-in is recent, the form has the right password,
 * or the account has none.
 */
async function askForPassword(
  c: AccountContext,
  params: URLSearchParams,
  { action, fields, seconds = FRESH_SECONDS }: Question,
): Promise<Response | null> {
  const { auth_time } = c.session
  if (auth_time !== null && c.now() - auth_time < seconds) return null
  if (c.user.password_hash === null) return null
  if (!endsSessions(action)) return null
  const { token } = c.csrf.issue(c.request, csrfBinding(c))
  const { sid } = fields
  const page = {
    action,
    ...(sid !== undefined && { sid }),
    realm: c.realm,
    username: c.user.username,
    csrf_token: token,
  }
  const form = pickFields(params, ['current_password'])
  if ('fault' in form) return confirmPage(c, page)
  const problem = await passwordProblem(c, action, form.fields.current_password)
  return problem && confirmPage(c, { ...page, problem })
}

async function proofsElsewhere(c: AccountContext): Promise<Html[]> {
  const forms = await Promise.all(c.extensions.map((one) => one.ways.proofs?.(userVisit(c, one)) ?? []))
  return forms.flat()
}
