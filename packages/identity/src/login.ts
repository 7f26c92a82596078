/** The sign-in page: shows the form, checks what it posts, and hands over to the provider. */

import { badForm } from './bad-form.js'
import type { PageContext } from './context.js'
import type { LoginRefusal } from './events.js'
import { forPerson } from './failures.js'
import { readForm } from './form.js'
import { BusyError } from './gate.js'
import { ACCOUNT_PATH } from './page.js'
import { errorPage } from './pages/error.js'
import { type SignInPrompt, signInPage } from './pages/sign-in.js'
import { MAX_PASSWORD_LENGTH } from './passwords.js'
import { MAX_USERNAME_LENGTH, type User, usernameKey } from './users.js'

export interface LoginContext extends PageContext {
  /** Whether one may sign in for the account page, without a client that waits. */
  has_account_page: boolean
}

/** The account page is the one address that may be named: a stored request's name is random and has no slash. */
async function findPrompt(c: LoginContext, return_to: string): Promise<SignInPrompt | null> {
  if (return_to !== ACCOUNT_PATH)
    return return_to === '' ? null : c.provider.loginPrompt(c.request, return_to)
  if (!c.has_account_page) return null
  return { realm: c.realm, reason: 'signed_out', return_to, client: null, redirect_uri: null }
}

export async function showLogin(c: LoginContext): Promise<Response> {
  const given = new URL(c.request.url).searchParams.getAll('return_to')
  const prompt = given.length === 1 ? await findPrompt(c, given[0] ?? '') : null
  return prompt ? form(c, { prompt }) : expired(c)
}

export async function postLogin(c: LoginContext): Promise<Response> {
  const read = await readForm(c, ['return_to', 'csrf_token', 'username', 'password'])
  if ('fault' in read) return badForm(c, { fault: read.fault, form: 'The sign-in form', advice: START_AGAIN })
  const { return_to, csrf_token, username, password } = read.fields
  const prompt = await findPrompt(c, return_to)
  if (!prompt) return expired(c)
  if (!c.csrf.valid(c.request, { realm: c.realm, return_to }, csrf_token))
    return refuse(c, { prompt, reason: 'csrf' })

  const username_key = usernameKey(username)
  const attempt = { realm: c.realm.id, username_key: username_key ?? '', address: c.address }
  if (!(await c.attempts.allowed(attempt, c.now())))
    return refuse(c, { prompt, username, reason: 'throttled' })

  const checked = await check(c, username_key, password)
  if ('reason' in checked) return refuse(c, { prompt, username, ...checked })
  const next = prompt.client === null ? { path: ACCOUNT_PATH } : return_to
  const login = { sub: checked.user.sub, amr: ['pwd'], return_to: next }
  return forPerson(c.look, c.realm, await c.provider.login(c.request, login))
}

type Checked = { user: User } | { reason: LoginRefusal; sub: string | null }

/** Whether there is no such user, a disabled one or a wrong password: it takes one verification of one cost. */
async function check(c: LoginContext, username_key: string | null, password: string): Promise<Checked> {
  const user = username_key === null ? null : await c.users(c.realm.id).findByUsername(username_key)
  const sub = user?.sub ?? null
  const usable = user?.disabled_at === null && password.length <= MAX_PASSWORD_LENGTH
  try {
    const right = await c.passwords.verify(usable ? user.password_hash : null, password)
    if (right && user) {
      await renewHash(c, user, password)
      return { user }
    }
  } catch (cause) {
    if (cause instanceof BusyError) return { reason: 'busy', sub }
    throw cause
  }
  if (!user) return { reason: 'unknown_user', sub }
  if (user.disabled_at !== null) return { reason: 'disabled', sub }
  return { reason: user.password_hash === null ? 'no_password' : 'wrong_password', sub }
}

/** Only now is the password known, so only now can a weaker hash be replaced. It can wait for the next time too. */
async function renewHash({ passwords, users, realm, now }: LoginContext, user: User, password: string) {
  if (user.password_hash === null || !passwords.stale(user.password_hash)) return
  try {
    const password_hash = await passwords.hash(password)
    const updated_at = Math.max(now(), user.updated_at + 1)
    await users(realm.id).update({ ...user, password_hash, updated_at }, user.updated_at)
  } catch {
    // The login is right all the same.
  }
}

export const BUSY_RETRY_SECONDS = 5

interface Refusal {
  prompt: SignInPrompt
  reason: LoginRefusal
  sub?: string | null
  username?: string
}

/** The form again, with a status and a sentence that depend on nothing but what anybody may know. */
function refuse(c: LoginContext, { prompt, reason, sub = null, username = '' }: Refusal): Response {
  c.emit({ type: 'login.refused', reason, client_id: prompt.client?.client_id ?? null, sub })
  const shown = { prompt, username: username.slice(0, MAX_USERNAME_LENGTH) }
  switch (reason) {
    case 'csrf':
      return form(c, {
        ...shown,
        status: 403,
        error: 'Your browser could not confirm this form. Please try again.',
      })
    case 'throttled': {
      const error = `Too many attempts to sign in. Please wait ${waitFor(c)}, then try again.`
      return form(c, { ...shown, status: 429, error, retry_after: c.attempts.window })
    }
    case 'busy': {
      const error = 'Many people are signing in right now. Please try again in a few seconds.'
      return form(c, { ...shown, status: 503, error, retry_after: BUSY_RETRY_SECONDS })
    }
    default:
      return form(c, { ...shown, status: 422, error: 'The username or password is not right.' })
  }
}

export function waitFor({ attempts }: Pick<PageContext, 'attempts'>): string {
  const minutes = Math.ceil(attempts.window / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

interface Shown {
  prompt: SignInPrompt
  username?: string
  error?: string
  status?: number
  /** Seconds. */
  retry_after?: number
}

function form(c: LoginContext, { prompt, username = '', error, status = 200, retry_after }: Shown): Response {
  const { token, set_cookie } = c.csrf.issue(c.request, { realm: c.realm, return_to: prompt.return_to })
  const headers = {
    ...(set_cookie === null ? {} : { 'set-cookie': set_cookie }),
    ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
  }
  return signInPage(c.look, { prompt, csrf_token: token, username, error: error ?? null, status, headers })
}

const START_AGAIN = 'Go back to the application and start again.'

const expired = ({ look, realm }: LoginContext): Response =>
  errorPage(look, {
    realm,
    status: 400,
    code: 'invalid_request',
    description: `This sign-in has expired or was used already. ${START_AGAIN}`,
  })
