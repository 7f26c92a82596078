/** Looks for a text by the operations that an index answers. What a role may not read is not looked for. */

import { apiPath, pathOf, problemOf, timeOf } from '@ostiary/console'
import type { HtmlValue } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'

/** What was found. */
export interface Hit {
  kind: 'user' | 'client' | 'key' | 'row' | 'story'
  name: string
  id: string
  /** Null for what has no page of its own. */
  href: string | null
  about: HtmlValue
}

export interface Found {
  hits: Hit[]
  /** Whether there are more users. */
  more: boolean
}

/** Users whose names begin so, on the page. */
const MAX_USERS = 10

interface ShownUser {
  sub: string
  username: string
  claims: Readonly<Record<string, unknown>>
}

/** The text as the last part of a path: these two name another path. */
const isPart = (text: string): boolean => text !== '.' && text !== '..'

/** At most five operations, then one. */
export async function search(c: OwnVisit, wanted: string): Promise<Found> {
  const [users, client, key] = await Promise.all([
    findUsers(c, wanted),
    findClient(c, wanted),
    findKey(c, wanted),
  ])
  const hits = [...users.hits, ...client, ...key]
  if (hits.length > 0 && !REFERENCE.test(wanted)) return { hits, more: users.more }
  const told = await findStory(c, wanted)
  return { hits: [...told, ...hits], more: users.more }
}

/** The body of an answer; null for a refusal. */
async function read<Body>(c: OwnVisit, path: string, query = {}): Promise<Body | null> {
  const answer = await c.api({ method: 'GET', path, query })
  return problemOf(answer) === null ? (answer.body as Body) : null
}

async function findUsers(c: OwnVisit, wanted: string): Promise<Found> {
  if (!c.may('users', 'read') || wanted.length > MAX_NAME) return { hits: [], more: false }
  const path = apiPath(c, 'users')
  const listed = (query: object) => read<{ items: ShownUser[]; next: string | null }>(c, path, query)
  const limit = String(MAX_USERS)
  const [by_sub, by_name, by_address] = await Promise.all([
    isPart(wanted) ? read<ShownUser>(c, apiPath(c, 'users', wanted)) : null,
    // A divided database finds whole names alone.
    listed({ username_prefix: wanted, limit }).then((found) => found ?? listed({ username: wanted })),
    wanted.includes('@') ? listed({ address: wanted }) : null,
  ])
  const named = by_name?.items ?? []
  const lower = wanted.toLowerCase()
  const whole = named.filter(({ username }) => username.toLowerCase() === lower)
  const own = [...(by_sub === null ? [] : [by_sub]), ...(by_address?.items ?? []), ...whole]
  const found = own.length > 0 ? own : named
  const unique = [...new Map(found.map((user) => [user.sub, user])).values()]
  return {
    hits: unique.map((user) => hitOf(c, user)),
    more: own.length === 0 && by_name !== null && by_name.next !== null,
  }
}

const MAX_NAME = 255

function hitOf(c: OwnVisit, { sub, username, claims }: ShownUser): Hit {
  const about = [claims.name, claims.email].filter((claim) => typeof claim === 'string').join(', ')
  return { kind: 'user', name: username, id: sub, href: pathOf(c, 'users', sub), about: about || null }
}

async function findClient(c: OwnVisit, wanted: string): Promise<Hit[]> {
  if (!c.may('clients', 'read') || !isPart(wanted)) return []
  const client = await read<{ client_id: string; client_name: string }>(c, apiPath(c, 'clients', wanted))
  if (client === null) return []
  const { client_id, client_name } = client
  const href = pathOf(c, 'clients', client_id)
  return [{ kind: 'client', name: client_name, id: client_id, href, about: null }]
}

interface ShownKey {
  kid: string
  alg: string
  signs_from: number
}

async function findKey(c: OwnVisit, wanted: string): Promise<Hit[]> {
  if (!c.may('keys', 'read') || !KID.test(wanted)) return []
  const keys = await read<{ items: ShownKey[] }>(c, apiPath(c, 'keys'))
  const { html, text } = c
  const has_page = c.areas.some(({ name }) => name === 'keys')
  return (keys?.items ?? [])
    .filter(({ kid }) => kid === wanted)
    .map(({ kid, alg, signs_from }) => ({
      kind: 'key' as const,
      name: alg,
      id: kid,
      href: has_page ? pathOf(c, 'keys') : null,
      about: html`${text('find.key_signs')} ${timeOf(c, signs_from)}`,
    }))
}

/** A thumbprint (RFC 7638), or a name that another key store gave. */
const KID = /^[\w-]{8,128}$/
/** Of an error page. */
const REFERENCE = /^[\da-f]{4}[- ]?[\da-f]{4}$/i
/** A flow, the id of a request, or that of a row. */
const TOLD = /^[\w.:-]{8,128}$/
const AUDIT_ID = /^[\da-z]{20}$/

/** The explanation of a reference, or a row of the audit. */
async function findStory(c: OwnVisit, wanted: string): Promise<Hit[]> {
  if (!TOLD.test(wanted) && !REFERENCE.test(wanted)) return []
  const hit = { name: wanted, id: wanted, about: null }
  if (
    c.may('audit', 'read') &&
    AUDIT_ID.test(wanted) &&
    (await read(c, apiPath(c, 'audit', wanted))) !== null
  )
    return [{ ...hit, kind: 'row', href: pathOf(c, 'audit', wanted) }]
  if (!c.may('users', 'read')) return []
  const told = await read(c, apiPath(c, 'explain', wanted))
  return told === null ? [] : [{ ...hit, kind: 'story', href: pathOf(c, 'explain', wanted) }]
}
