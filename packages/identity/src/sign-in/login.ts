/** The sign-in page: shows the form, checks the credentials and starts a session with the provider. */

import { MAX_USERNAME_LENGTH, usernameKey } from '@ostiary/core/common'
import type { LoginLimitName, LoginRefusal } from '../events.js'
import { badForm } from '../pages/bad-form.js'
import { landingPage } from '../pages/landing.js'
import { returnPurpose } from '../pages/return-pages.js'
import { type SignInPrompt, signInPage } from '../pages/sign-in.js'
import type { User } from '../users/user-store.js'
import { pickFields, readForm } from '../web/form.js'
import { ACCOUNT_PATH, FORGOT_PATH, pathIn, SIGN_UP_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import type { FactorContext, FactorMethod, PageContext, RefusedProof } from './context.js'
import { visitOf } from './extensions/visit.js'
import { afterPassword, endOnce, expiredSignIn } from './finish.js'
import type { Proof } from './login-limits.js'
import { pageForm } from './page-form.js'
import { BUSY_RETRY_AFTER_SECONDS, callerOf, checkPassword } from './password-check.js'
import { hasPassword, hasPasswords } from './passwords-of.js'
import { currentStep, postStep, STEP_ACTIONS, type StepAction } from './steps.js'

/**
 * What the sign-in is for: a waiting authorization request, with its token as `return_to`, or one of the return pages: no other path is
 * accepted. Tokens contain no slash.
 */
export async function findPrompt(c: PageContext, return_to: string): Promise<SignInPrompt | null> {
  if (return_to === '') return null
  const purpose = returnPurpose(c, return_to)
  if (purpose === undefined) return c.provider.loginPrompt(c.request, return_to)
  const page = { client: null, redirect_uri: null, ui_locales: [], login_hint: null, acr_values: [] }
  return { realm: c.realm, reason: 'signed_out', return_to, purpose, ...page }
}

export async function getLogin(c: PageContext): Promise<Response> {
  const values = new URL(c.request.url).searchParams.getAll('return_to')
  if (values.every((value) => value === '')) return withoutRequest(c)
  const prompt = values.length === 1 ? await findPrompt(c, values[0] ?? '') : null
  if (!prompt) return expiredSignIn(c)
  const page = inLanguageOf(c, prompt)
  return (await currentStep(page, prompt)) ?? loginForm(page, { prompt, username: hintedName(prompt) })
}

/** For the field, which the user may change. No username is longer than the field. */
const hintedName = ({ login_hint }: SignInPrompt): string =>
  login_hint !== null && login_hint.length <= MAX_USERNAME_LENGTH ? login_hint : ''

/** The address without a request, as from a bookmark: the account page asks for the sign-in. */
const withoutRequest = (c: PageContext): Response =>
  c.has_account_page ? seeOther(urlIn(c.realm, ACCOUNT_PATH)) : landingPage(c, c.realm, null)

export async function postLogin(page: PageContext): Promise<Response> {
  const sent = await readForm(page)
  if ('fault' in sent) return badForm(page, sent)
  const action = knownAction(page, sent.params)
  if (action !== null) return postAction(page, action, sent.params)
  const form = pickFields(sent.params, ['return_to', 'csrf_token', 'username', 'password'])
  if ('fault' in form) return badForm(page, form)
  const { return_to, csrf_token, username, password } = form.fields
  const prompt = await findPrompt(page, return_to)
  if (!prompt) return expiredSignIn(page)
  const c = inLanguageOf(page, prompt)
  if (!c.csrf.valid(c.request, { realm: c.realm, bound_to: return_to }, csrf_token))
    return refuse(c, { prompt, reason: 'csrf' })

  const away = elsewhere(c, { username, return_to })
  if (away !== null) return away
  const result = await authenticate(c, username, password)
  if ('reason' in result) return refuse(c, { prompt, username, ...result })
  const { user } = result
  const cookies = [c.devices.remember(c.request, c.realm, user)]
  return afterPassword(c, { prompt, user, cookies }, sent.params)
}

/** Where a typed name leads, for known and unknown names alike. Null: to no other provider. */
export function elsewhere(
  c: PageContext,
  typed: { username: string; return_to: string },
): Promise<Response> | null {
  for (const extension of c.extensions) {
    const away = extension.ways.begin?.(visitOf(c, extension), typed) ?? null
    if (away !== null) return away
  }
  return null
}

type Action = 'back' | 'start' | StepAction

/** What the form does, beside sending a password. Without factors there is only the way back. */
function knownAction({ factors }: PageContext, params: URLSearchParams): Action | null {
  const value = params.get('action')
  // A program that sends the hidden fields of all forms with a password means the password.
  if (value === 'start' && params.has('password')) return null
  const actions: readonly Action[] = factors === null ? ['back'] : ['back', 'start', ...STEP_ACTIONS]
  return actions.find((name) => name === value) ?? null
}

async function postAction(page: PageContext, action: Action, params: URLSearchParams): Promise<Response> {
  const checked = await checkedForm(page, params)
  if (checked instanceof Response) return checked
  const { c, prompt } = checked
  if (action === 'back') return goBack(c, prompt)
  return action === 'start' ? startWithFactor(c, prompt, params) : postStep(c, prompt, { action, params })
}

/** The sign-in whose page has sent this form. A page about the fault otherwise. */
export async function checkedForm(
  page: PageContext,
  params: URLSearchParams,
): Promise<{ c: PageContext; prompt: SignInPrompt } | Response> {
  const form = pickFields(params, ['return_to', 'csrf_token'])
  if ('fault' in form) return badForm(page, form)
  const { return_to, csrf_token } = form.fields
  const prompt = await findPrompt(page, return_to)
  if (!prompt) return expiredSignIn(page)
  const c = inLanguageOf(page, prompt)
  const is_valid = c.csrf.valid(c.request, { realm: c.realm, bound_to: return_to }, csrf_token)
  return is_valid ? { c, prompt } : refuse(c, { prompt, reason: 'csrf' })
}

/** The way back to the application that has begun the sign-in. The account page is of no application. */
export const goBack = async (c: PageContext, prompt: SignInPrompt): Promise<Response> =>
  prompt.client === null
    ? expiredSignIn(c)
    : c.provider.cancel(c.request, { return_to: prompt.return_to }, c.origin)

/** A sign-in with a factor alone, which names its user. */
async function startWithFactor(
  c: PageContext,
  prompt: SignInPrompt,
  params: URLSearchParams,
): Promise<Response> {
  const found = startOf(c)
  if (found === null) return badForm(c, { fault: 'malformed' })
  const target = pageForm(c, prompt.return_to).target('start')
  const answer = await found.start.check(found.c, target, params)
  if ('reason' in answer) return refuse(c, { prompt, ...answer })
  const { user, proof, once } = answer
  const cookies = [c.devices.remember(c.request, c.realm, user)]
  return endOnce(c, { prompt, user, cookies }, { proofs: [proof], once })
}

/** The kind of factor with which a user can sign in without a name. */
function startOf(c: PageContext): { c: FactorContext; start: NonNullable<FactorMethod['start']> } | null {
  const { factors } = c
  if (factors === null) return null
  const start = factors.methods.find((method) => method.start !== null)?.start
  return start ? { c: { ...c, factors }, start } : null
}

/** The context of a page in the language that the client asks for. */
export const inLanguageOf = (c: PageContext, { ui_locales }: SignInPrompt): PageContext => ({
  ...c,
  language: c.languages.choose(ui_locales, c.request),
})

type SignInResult = { user: User } | Omit<SignInRefusal, 'prompt' | 'username'>

/**
 * An unknown user, a disabled user and a wrong password cost the same: one look-up and one verification. So the time of the
 * response does not tell which it was.
 */
async function authenticate(c: PageContext, username: string, password: string): Promise<SignInResult> {
  // For each name alike: nothing is looked up, and nothing is hashed.
  if (!hasPasswords(c)) return { reason: 'no_password' }
  const username_key = usernameKey(username)
  const user = await c.findTyped(username_key)
  const sub = user?.sub ?? null
  const device = c.devices.find(c.request, c.realm, user)
  const proof: Proof | null = device === null ? null : { kind: 'device', id: device }
  const password_hash = user?.disabled_at === null && hasPassword(c, user) ? user.password_hash : null
  const answer = await checkPassword(c, {
    // Of the account, so that a further name gives no further tries.
    username_key: user?.username_key ?? username_key ?? '',
    password_hash,
    password,
    proof,
  })
  if (answer === 'right' && user) return { user: await withRenewedHash(c, user, { password, proof }) }
  if (answer === 'busy') return { reason: 'busy', sub }
  if (typeof answer === 'object')
    return { reason: 'throttled', sub, limit: answer.limit, retry_after: answer.retry_after }
  if (!user) return { reason: 'unknown_user', sub }
  if (user.disabled_at !== null) return { reason: 'disabled', sub }
  return { reason: hasPassword(c, user) ? 'wrong_password' : 'no_password', sub }
}

interface PasswordEntry {
  password: string
  proof: Proof | null
}

/** Replaces a weak hash, now that the password is known. A failure is ignored: the next sign-in tries again. */
async function withRenewedHash(c: PageContext, user: User, entry: PasswordEntry): Promise<User> {
  const { passwords, users, realm, now } = c
  if (user.password_hash === null || !passwords.stale(user.password_hash)) return user
  try {
    const password_hash = await passwords.hash(entry.password, callerOf(c, entry.proof))
    const updated_at = Math.max(now(), user.updated_at + 1)
    const renewed = { ...user, password_hash, updated_at }
    return (await users(realm.id).update(renewed, user.updated_at)) ? renewed : user
  } catch {
    // The password was right: the sign-in continues with the old hash.
    return user
  }
}

interface SignInRefusal extends Partial<Pick<RefusedProof, 'text' | 'status'>> {
  prompt: SignInPrompt
  reason: LoginRefusal
  sub?: string | null
  username?: string
  limit?: LoginLimitName
  /** In seconds. */
  retry_after?: number
}

/** Answers with the form again. Its status and text do not tell whether the account exists. */
async function refuse(c: PageContext, refusal: SignInRefusal): Promise<Response> {
  const { prompt, reason, sub = null, username = '', limit, retry_after = 0 } = refusal
  const client_id = prompt.client?.client_id ?? null
  c.emit({ type: 'login.refused', reason, client_id, sub, ...(limit && { limit }) })
  const shared = { prompt, username: username.slice(0, MAX_USERNAME_LENGTH) }
  const { text, status } = refusal
  if (text !== undefined && status !== undefined) return loginForm(c, { ...shared, error: text, status })
  switch (reason) {
    case 'csrf':
      return loginForm(c, {
        ...shared,
        status: 403,
        error: c.language.text('sign_in.not_confirmed'),
      })
    case 'throttled': {
      const error = c.language.text('sign_in.throttled', { count: Math.ceil(retry_after / 60) })
      return loginForm(c, { ...shared, status: 429, error, retry_after })
    }
    case 'busy': {
      const error = c.language.text('sign_in.busy')
      return loginForm(c, { ...shared, status: 503, error, retry_after: BUSY_RETRY_AFTER_SECONDS })
    }
    default:
      return loginForm(c, { ...shared, status: 422, error: c.language.text('sign_in.wrong') })
  }
}

interface LoginForm {
  prompt: SignInPrompt
  username?: string
  error?: string
  status?: number
  /** In seconds. */
  retry_after?: number
}

async function loginForm(
  c: PageContext,
  { prompt, username = '', error, status = 200, retry_after }: LoginForm,
): Promise<Response> {
  const form = pageForm(c, prompt.return_to)
  const headers = {
    ...(form.set_cookie === null ? {} : { 'set-cookie': form.set_cookie }),
    ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
  }
  const logo = prompt.client && (await c.logos.pathOf(c.realm, prompt.client))
  const found = startOf(c)
  const passwords = hasPasswords(c)
  const start = found === null ? null : found.start.form(found.c, form.target('start'), !passwords)
  const { fields } = form.target()
  const linkTo = (path: string) =>
    `${pathIn(c.realm, path)}?${new URLSearchParams({ return_to: prompt.return_to })}`
  const { mail, sign_up, regain } = c
  return signInPage(c, {
    prompt,
    fields,
    start,
    others: c.extensions.flatMap(
      (one) => one.ways.buttons?.(visitOf(c, one), fields, passwords ? null : username) ?? [],
    ),
    typed: c.extensions.flatMap((one) => one.ways.typed?.(visitOf(c, one)) ?? []),
    passwords,
    username,
    error: error ?? null,
    sign_up: sign_up && { href: linkTo(SIGN_UP_PATH), text: sign_up.ways.label(c.language.tag) },
    forgot:
      mail && (passwords || regain)
        ? { href: linkTo(FORGOT_PATH), text: c.language.text(regain ? 'ticket.title' : 'sign_in.forgot') }
        : null,
    logo,
    status,
    headers,
  })
}
