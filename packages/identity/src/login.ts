/** The sign-in page: shows the form, checks what it posts, and hands over to the provider. */

import type { LoginPrompt, Provider, Realm } from '@ostiary/core'
import type { Attempts } from './attempts.js'
import type { Csrf } from './csrf.js'
import type { LoginRefusal } from './events.js'
import { type FormFault, MAX_FORM_BYTES, readForm } from './form.js'
import { BusyError } from './gate.js'
import { errorPage } from './pages/error.js'
import { signInPage } from './pages/sign-in.js'
import { MAX_PASSWORD_LENGTH, type Passwords } from './passwords.js'
import type { Look } from './theme.js'
import { MAX_USERNAME_LENGTH, type User, type Users, usernameKey } from './users.js'

export interface LoginContext {
  look: Look
  users: Users
  passwords: Passwords
  attempts: Attempts
  csrf: Csrf
  provider: Provider
  realm: Realm
  request: Request
  /** The client's IP address, or null. */
  address: string | null
  now: () => number
  refused(login: { reason: LoginRefusal; client_id: string; sub: string | null }): void
}

export async function showLogin(c: LoginContext): Promise<Response> {
  const given = new URL(c.request.url).searchParams.getAll('return_to')
  const prompt = given.length === 1 && given[0] ? await c.provider.loginPrompt(c.request, given[0]) : null
  return prompt ? form(c, { prompt }) : expired(c)
}

export async function postLogin(c: LoginContext): Promise<Response> {
  const read = await readForm(c.request, ['return_to', 'csrf_token', 'username', 'password'])
  if ('fault' in read) return badForm(c, read.fault)
  const { return_to, csrf_token, username, password } = read.fields
  const prompt = return_to === '' ? null : await c.provider.loginPrompt(c.request, return_to)
  if (!prompt) return expired(c)
  if (!c.csrf.valid(c.request, { realm: c.realm, return_to }, csrf_token))
    return refuse(c, { prompt, reason: 'csrf' })

  const username_key = usernameKey(username)
  const attempt = { realm: c.realm.id, username_key: username_key ?? '', address: c.address }
  if (!(await c.attempts.allowed(attempt, c.now())))
    return refuse(c, { prompt, username, reason: 'throttled' })

  const checked = await check(c, username_key, password)
  if ('reason' in checked) return refuse(c, { prompt, username, ...checked })
  return c.provider.login(c.request, { sub: checked.user.sub, amr: ['pwd'], return_to })
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

const BUSY_RETRY_SECONDS = 5

interface Refusal {
  prompt: LoginPrompt
  reason: LoginRefusal
  sub?: string | null
  username?: string
}

/** The form again, with a status and a sentence that depend on nothing but what anybody may know. */
function refuse(c: LoginContext, { prompt, reason, sub = null, username = '' }: Refusal): Response {
  c.refused({ reason, client_id: prompt.client.client_id, sub })
  const shown = { prompt, username: username.slice(0, MAX_USERNAME_LENGTH) }
  switch (reason) {
    case 'csrf':
      return form(c, {
        ...shown,
        status: 403,
        error: 'Your browser could not confirm this form. Please try again.',
      })
    case 'throttled': {
      const minutes = Math.ceil(c.attempts.window / 60)
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
      const error = `Too many attempts to sign in. Please wait ${wait}, then try again.`
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

interface Shown {
  prompt: LoginPrompt
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

const expired = ({ look, realm }: LoginContext): Response =>
  errorPage(look, {
    realm,
    status: 400,
    code: 'invalid_request',
    description: 'This sign-in has expired or was used already. Go back to the application and start again.',
  })

const FAULTS: Record<FormFault, { status: number; fault: string }> = {
  wrong_type: { status: 415, fault: 'in a format that is not understood' },
  too_large: { status: 413, fault: `with more than ${MAX_FORM_BYTES / 1024} KiB` },
  malformed: { status: 400, fault: 'incomplete' },
}

function badForm({ look, realm }: LoginContext, reason: FormFault): Response {
  const { status, fault } = FAULTS[reason]
  const description = `The sign-in form arrived ${fault}. Go back to the application and start again.`
  return errorPage(look, { realm, status, code: 'invalid_request', description })
}
