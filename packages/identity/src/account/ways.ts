/** The actions of the section "Ways to sign in": factors are added, renamed and removed. */

import { enrolmentPage, recoveryCodesPage } from '../pages/factors/steps.js'
import { html } from '../pages/html.js'
import type { Enrolment, FactorParts, FormTarget } from '../sign-in/context.js'
import { addFactor, MAX_FACTORS, mayAdd } from '../sign-in/enrolment.js'
import { recoveryCodesFile } from '../sign-in/recovery-codes-file.js'
import type { Factor, FactorChange } from '../users/factor-store.js'
import { pickFields } from '../web/form.js'
import { ACCOUNT_PATH, pathIn, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { type AccountContext, factorsOf, linksOf, redirectWithNotice, targetOf } from './context.js'
import { type Fresh, hasSecondFactor, raise, recentPassword, requireFresh } from './fresh.js'
import { canSignIn } from './link-ways.js'
import { report } from './password-problem.js'
import { signalCookies } from './signals.js'
import { showAccount } from './view.js'

type Ways = AccountContext & { factors: FactorParts }
type Action = (c: Ways, params: URLSearchParams) => Promise<Response | null>

/** An action that only an account with factors has; null without them, as for a field that is missing. */
export const withFactors =
  (action: Action) =>
  async (c: AccountContext, params: URLSearchParams): Promise<Response | null> =>
    c.factors === null ? null : action({ ...c, factors: c.factors }, params)

/** Shows the page on which a factor is added. */
export const enrol = withFactors(async (c, params) => {
  const form = pickFields(params, ['method'])
  if ('fault' in form) return null
  const question = { action: 'enrol', fields: form.fields } as const
  if (!mayAdd(c.factors, await factorsOf(c))) return invitedAlone(c)
  const fresh = await requireFresh(c, params, question)
  return fresh instanceof Response ? fresh : showEnrolment(c, form.fields.method, { cookies: fresh.cookies })
})

/** Where the first factor needs a link of an operator. */
const invitedAlone = (c: Ways): Promise<Response> =>
  showAccount(c, { at: 'ways', status: 403, text: c.language.text('ways.invited') })

interface ShownEnrolment {
  cookies: string[]
  failed?: Enrolment['failed']
}

async function showEnrolment(
  c: Ways,
  kind: string,
  { cookies, failed = null }: ShownEnrolment,
): Promise<Response | null> {
  const enrolment = enrolmentOf(c, kind)
  if (enrolment === null) return null
  const factors = await factorsOf(c)
  const target = formTarget(c, 'enrolled')
  const body = await enrolment.page(c, { user: c.user, factors, target, failed })
  return enrolmentPage(c, {
    realm: c.realm,
    body,
    status: failed === null ? 200 : 422,
    cookies,
    form_leads_to: 'self',
    back: html`<p class="small"><a class="switch" href="${pathIn(c.realm, ACCOUNT_PATH)}">${c.language.text('confirm.back')}</a></p>`,
  })
}

const enrolmentOf = ({ factors }: Ways, kind: string) =>
  factors.methods.find((method) => method.kind === kind)?.enrolment ?? null

const formTarget = (c: Ways, action: 'enrolled' | 'saved' | 'download'): FormTarget =>
  targetOf(c, { action, fields: {} })

/** The page was shown after a fresh proof, and what it sends proves that: a challenge, or a sealed secret, of this session. */
export const enrolled = withFactors(async (c, params) => {
  const form = pickFields(params, ['method'])
  if ('fault' in form) return null
  const { method: kind } = form.fields
  const enrolment = enrolmentOf(c, kind)
  if (enrolment === null) return null
  const factors = await factorsOf(c)
  if (!mayAdd(c.factors, factors)) return invitedAlone(c)
  if (factors.length >= MAX_FACTORS) return redirectWithNotice(c, 'too_many_factors')
  const target = formTarget(c, 'enrolled')
  const answer = await enrolment.finish(c, { user: c.user, factors, target }, params)
  if ('problem' in answer) return showEnrolment(c, kind, { cookies: [], failed: { ...answer, params } })
  const added = await addFactor(c, { user: c.user, factors, factor: answer.factor })
  if (added === null) return changedMeanwhile(c, 'enrolled')
  // The new factor was used: the user is not asked for it again at once.
  const raised = await raise(c, { user: added.user, proofs: [...recentPassword(c), answer.proof] })
  if (raised instanceof Response) return raised
  const { codes } = added
  return codes === null
    ? redirectWithNotice(c, 'factor_added', raised.cookies)
    : showCodes(c, codes, raised.cookies)
})

function showCodes(c: Ways, codes: readonly string[], cookies: string[]): Response {
  return recoveryCodesPage(c, {
    realm: c.realm,
    codes,
    user: c.user,
    now: c.now(),
    target: formTarget(c, 'saved'),
    download: formTarget(c, 'download'),
    cookies,
    form_leads_to: 'self',
  })
}

/** The user has saved the recovery codes. */
export const saved = withFactors(async ({ realm }) => seeOther(urlIn(realm, ACCOUNT_PATH)))

export const download = withFactors(async (c, params) => recoveryCodesFile(c, c.user, params))

/** A new set of recovery codes. The old one ends. */
export const newCodes = withFactors(async (c, params) => {
  const fresh = await requireFresh(c, params, { action: 'new_codes', fields: {} })
  if (fresh instanceof Response) return fresh
  const { sub } = c.user
  const factors = await factorsOf(c)
  if (!hasSecondFactor(factors)) return null
  const set = c.factors.newRecoveryCodes(sub, c.now())
  if (!(await change(c, { add: [set.factor], remove: idsOf(factors, 'recovery') })))
    return changedMeanwhile(c, 'new_codes')
  c.emit({ type: 'recovery_codes.created', sub })
  return showCodes(c, set.codes, fresh.cookies)
})

/** False when the account has changed since it was read. */
function change({ factors, user, now }: Ways, changed: Omit<FactorChange, 'sub'>): Promise<boolean> {
  const { sub, credential_version } = user
  return factors.store.change({ sub, ...changed }, { credential_version, now: now() })
}

const idsOf = (factors: readonly Factor[], kind: Factor['kind']): string[] =>
  factors.filter((factor) => factor.kind === kind).map(({ factor_id }) => factor_id)

export const removeFactor = withFactors(async (c, params) => {
  const form = pickFields(params, ['factor_id'])
  if ('fault' in form) return null
  const { factor_id } = form.fields
  const question = { action: 'remove_factor', fields: { factor_id } } as const
  const fresh = await requireFresh(c, params, question)
  if (fresh instanceof Response) return fresh
  const factors = await factorsOf(c)
  const factor = factors.find((one) => one.factor_id === factor_id && one.kind !== 'recovery')
  if (!factor) return redirectWithNotice(c, 'factor_gone', fresh.cookies)
  return remove(c, { factor, factors, fresh })
})

interface Removal {
  factor: Factor
  factors: readonly Factor[]
  fresh: Fresh
}

/** The last way to sign in stays, and so does the last second factor where the realm requires one, or the user could not add another. */
async function remove(c: Ways, { factor, factors, fresh }: Removal): Promise<Response> {
  const left = factors.filter(({ factor_id }) => factor_id !== factor.factor_id)
  const is_last = !hasSecondFactor(left)
  // Without a second factor, the user's own switch is off.
  const user = { ...c.user, second_step: c.user.second_step && !is_last }
  const can_sign_in = canSignIn(c, { user, factors: left, links: await linksOf(c) })
  const { second_factor, enrolment } = c.factors.settings
  const may_be_last = second_factor !== 'required' && enrolment === 'self'
  if (!can_sign_in || (is_last && !may_be_last)) {
    report(c, { action: 'remove_factor', reason: 'last_way_in' })
    const text = c.language.text(can_sign_in ? 'ways.last_factor' : 'ways.last_way_in')
    return showAccount(c, { at: 'ways', status: 422, text }, fresh.cookies)
  }
  const removal = {
    // Without a second factor, its recovery codes and its switch have no use.
    remove: [factor.factor_id, ...(is_last ? idsOf(left, 'recovery') : [])],
    ...(is_last && { second_step: false }),
  }
  if (!(await change(c, removal))) return changedMeanwhile(c, 'remove_factor')
  c.emit({ type: 'factor.removed', kind: factor.kind, sub: c.user.sub })
  return redirectWithNotice(c, 'factor_removed', [...fresh.cookies, ...signalCookies(c, factor)])
}

const MAX_LABEL_LENGTH = 60

/** A name opens nothing, so it needs no proof. */
export const renameFactor = withFactors(async (c, params) => {
  const form = pickFields(params, ['factor_id', 'label'])
  if ('fault' in form) return null
  const { factor_id } = form.fields
  const label = form.fields.label.trim()
  if (label === '' || label.length > MAX_LABEL_LENGTH || /[\p{C}]/u.test(label)) {
    const text = c.language.text('ways.bad_name', { max: MAX_LABEL_LENGTH })
    return showAccount(c, { at: 'ways', status: 422, text })
  }
  const factors = await factorsOf(c)
  const factor = factors.find((one) => one.factor_id === factor_id)
  if (!factor || !(await c.factors.store.rename(factor_id, label)))
    return redirectWithNotice(c, 'factor_gone')
  c.emit({ type: 'factor.renamed', kind: factor.kind, sub: c.user.sub })
  return redirectWithNotice(c, 'factor_renamed')
})

/** Whether each sign-in with the password asks for a second step. */
export const secondStep = withFactors(async (c, params) => {
  const form = pickFields(params, ['on'])
  if ('fault' in form) return null
  const question = { action: 'second_step', fields: { on: form.fields.on } } as const
  const fresh = await requireFresh(c, params, question)
  if (fresh instanceof Response) return fresh
  const second_step = form.fields.on === 'true'
  if (second_step && !hasSecondFactor(await factorsOf(c))) return null
  if (!(await change(c, { second_step }))) return changedMeanwhile(c, 'second_step')
  return redirectWithNotice(c, second_step ? 'second_step_on' : 'second_step_off', fresh.cookies)
})

export function changedMeanwhile(
  c: Ways,
  action: 'enrolled' | 'new_codes' | 'remove_factor' | 'second_step' | 'remove_password',
  cookies: readonly string[] = [],
): Promise<Response> {
  report(c, { action, reason: 'changed_meanwhile' })
  const text = c.language.text('account.changed_meanwhile')
  return showAccount(c, { at: 'page', status: 409, text }, cookies)
}
