/** What the pages of other ways to sign in are made with. */

import { type Realm, type ReplayStore, sha256, type Throttle } from '@ostiary/core'
import { html } from '../../pages/html.js'
import { renderPage } from '../../pages/page.js'
import { pageCookie } from '../../web/cookies.js'
import type { KeyedHash } from '../../web/keyed-hash.js'
import { createSealer } from '../../web/sealed.js'
import { seeOther } from '../../web/see-other.js'
import { reserveIn } from '../attempts.js'
import { withCookies } from '../complete-sign-in.js'
import type { PageContext, UpstreamParts } from '../context.js'
import type { Upstreams, Visit } from './seam.js'

interface UpstreamOptions {
  upstreams?: Upstreams
  replays?: (realm: string) => ReplayStore
  throttle: (realm: string) => Throttle
  hash: KeyedHash
  secret: string
  previous_secret?: string
  now: () => number
}

/** Null without the option. */
export function createUpstreamParts(options: UpstreamOptions): ((realm: Realm) => UpstreamParts) | null {
  const { upstreams: ways, replays, throttle, hash, now } = options
  if (ways === undefined || replays === undefined) return null
  const sealer = createSealer(options, 'upstream')
  return ({ id }) => ({
    ways,
    seal: (value) => sealer.seal(value, [id]),
    open: (text) => sealer.open(text, [id])?.value ?? null,
    claim: (key, expires_at) => replays(id).claim(sha256(`upstream:${key}`), expires_at, now()),
    async count(limits, window) {
      const counters = limits.map(({ name, maximum }) => ({
        limit: '',
        key: `upstream:${hash('upstream', id, name)}`,
        window,
        maximum,
      }))
      const reserved = await reserveIn(throttle(id), counters, now())
      return 'limit' in reserved ? reserved.retry_after : null
    },
  })
}

export function visitOf(c: PageContext, { ways: _, ...parts }: UpstreamParts): Visit {
  const { realm, request } = c
  return {
    ...c,
    users: c.users(realm.id),
    html,
    ...parts,
    cookie(name, shape) {
      const { read, write } = pageCookie(name, shape)
      return { read: () => read(request, realm), write: (value, age) => write(realm, value, age) }
    },
    page: (page) => renderPage(c, { realm, ...page }),
    redirect: (location, cookies = []) => withCookies(seeOther(location), cookies),
  }
}
