/** What a realm has whose users sign in at other providers. What answers its paths is loaded with the first of them. */

import { type Realm, type ReplayStore, sha256, type Throttle } from '@ostiary/core'
import { type Html, html } from '../../pages/html.js'
import type { Links } from '../../users/link-store.js'
import type { KeyedHash } from '../../web/keyed-hash.js'
import { pathIn } from '../../web/paths.js'
import { createSealer } from '../../web/sealed.js'
import type { PageContext, UpstreamParts } from '../context.js'
import type { Upstreams } from './seam.js'

interface UpstreamOptions {
  upstreams?: Upstreams
  links?: Links
  replays?: (realm: string) => ReplayStore
  throttle: (realm: string) => Throttle
  hash: KeyedHash
  secret: string
  previous_secret?: string
  now: () => number
}

/** Null without the option. */
export function createUpstreamParts(
  options: UpstreamOptions,
): ((realm: Realm) => UpstreamParts | null) | null {
  const { upstreams, links, replays, throttle, hash, now } = options
  if (upstreams === undefined || links === undefined || replays === undefined) return null
  const sealer = createSealer(options, 'upstream')
  return ({ id }) =>
    upstreams.of(id).length === 0
      ? null
      : {
          ...upstreams,
          list: upstreams.of(id),
          links: links(id),
          sealer,
          throttle: throttle(id),
          hash,
          claim: (key, expires_at) => replays(id).claim(sha256(`upstream:${key}`), expires_at, now()),
        }
}

const START = '/login/upstream/'
const CALLBACK = '/login/callback/'

/** The path at which a sign-in begins. */
const startPath = (id: string): string => START + id
/** The path of the redirect URI. */
export const callbackPath = (id: string): string => CALLBACK + id

/** The id in such a path, and what it is for; null for another path. */
export function upstreamPath(path: string): { id: string; step: 'start' | 'callback' } | null {
  if (path.startsWith(START)) return { id: path.slice(START.length), step: 'start' }
  return path.startsWith(CALLBACK) ? { id: path.slice(CALLBACK.length), step: 'callback' } : null
}

/** A button for each provider of the realm. @param fields The hidden fields of the forms of the page. */
export const upstreamButtons = ({ upstreams, realm, language }: PageContext, fields: Html): Html | null =>
  upstreams &&
  html`${upstreams.list.map(
    ({ id, name }) => html`<form method="post" action="${pathIn(realm, startPath(id))}">
${fields}
<button type="submit" class="quiet">${upstreams.texts(language.tag).sign_in(name)}</button>
</form>`,
  )}`
