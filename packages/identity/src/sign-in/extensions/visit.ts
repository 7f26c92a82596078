/** What the pages of other packages are made with. */

import { personTag, type Realm, type ReplayStore, sha256, type Throttle } from '@ostiary/core'
import { badForm } from '../../pages/bad-form.js'
import { html } from '../../pages/html.js'
import { providerName, renderPage } from '../../pages/page.js'
import { createUser, UserError } from '../../users/manage-users.js'
import { updateUser } from '../../users/update-user.js'
import { pageCookie } from '../../web/cookies.js'
import { readForm } from '../../web/form.js'
import type { KeyedHash } from '../../web/keyed-hash.js'
import { createSealer } from '../../web/sealed.js'
import { seeOther } from '../../web/see-other.js'
import { reserveIn } from '../attempts.js'
import { withCookies } from '../complete-sign-in.js'
import type { PageContext, WayParts } from '../context.js'
import type { PageVisit, Visit } from './seam.js'

interface WayOptions {
  replays?: (realm: string) => ReplayStore
  throttle: (realm: string) => Throttle
  hash: KeyedHash
  secret: string
  previous_secret?: string
  now: () => number
}

/** Null without the option. @param use Keeps apart what is sealed and claimed. */
export function createWayParts<Ways>(
  ways: Ways | undefined,
  use: string,
  options: WayOptions,
): ((realm: Realm) => WayParts<Ways>) | null {
  const { replays, throttle, hash, now } = options
  if (ways === undefined || replays === undefined) return null
  const sealer = createSealer(options, use)
  return ({ id }) => ({
    ways,
    seal: (value) => sealer.seal(value, [id]),
    open: (text) => sealer.open(text, [id])?.value ?? null,
    claim: (key, expires_at) => replays(id).claim(sha256(`${use}:${key}`), expires_at, now()),
    async count(limits, window) {
      const counters = limits.map(({ name, maximum }) => ({
        limit: '',
        key: `${use}:${hash(use, id, name)}`,
        window,
        maximum,
      }))
      const reserved = await reserveIn(throttle(id), counters, now())
      return 'limit' in reserved ? reserved.retry_after : null
    },
  })
}

export function visitOf(c: PageContext, { ways: _, ...parts }: WayParts<unknown>): Visit {
  const { realm, request, mail, recovery, now } = c
  const users = c.users(realm.id)
  return {
    ...c,
    users,
    createUser: (input) => createUser(users, input, { now }).catch(refused),
    updateUser: async (sub, change) =>
      (await updateUser(users, { sub, change }, { now }).catch(refused)) !== null,
    provider: providerName(c.theme, realm),
    isElsewhere: (user) => c.extensions.some(({ ways }) => ways.replacesPassword?.(realm.id, user)),
    text: (key) => c.language.text(key as 'forgot.title'),
    html,
    ...parts,
    mails: mail &&
      recovery && {
        tickets: recovery.tickets,
        hash: (sub, secret) => sha256(secret) + personTag(sub),
        send: (one) => mail.sendTo({ ...c, mail }, one),
      },
    cookie(name, shape) {
      const { read, write } = pageCookie(name, shape)
      return { read: () => read(request, realm), write: (value, age) => write(realm, value, age) }
    },
    page: (page) => renderPage(c, { realm, ...page }),
    redirect: (location, cookies = []) => withCookies(seeOther(location), cookies),
  }
}

function refused(error: unknown): null {
  if (error instanceof UserError) return null
  throw error
}

/** The form, or the page about one that cannot be read. */
async function formOf(c: PageContext): Promise<URLSearchParams | Response> {
  const sent = await readForm(c)
  return 'fault' in sent ? badForm(c, sent) : sent.params
}

/** @param path Of the page, which its forms belong to. */
export function pageVisitOf(c: PageContext, parts: WayParts<unknown>, path: string): PageVisit {
  const { realm, request, csrf } = c
  const form = { realm, bound_to: path }
  const { token, set_cookie } = csrf.issue(request, form)
  return {
    ...visitOf(c, parts),
    form: () => formOf(c),
    csrf_token: token,
    csrf_cookie: set_cookie,
    isConfirmed: (sent) => csrf.valid(request, form, sent),
  }
}
