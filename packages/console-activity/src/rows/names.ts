/** The names of the users and clients that a page has by their ids. */

import { apiPath, code, pathOf, problemOf } from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'

/** With the names of what the administrator may read. A record that was deleted has none. */
export interface NamedVisit extends OwnVisit {
  usernames: ReadonlyMap<string, string>
  client_names: ReadonlyMap<string, string>
}

/** What has ids of users and clients. */
export interface Ids {
  actor?: string
  sub?: string | null
  client_id?: string | null
}

const ACTOR = { sub: 'sub:', client_id: 'client:' } as const

/** Ids that the API takes at once. */
const MAX_NAMED = 100

/** Each once. */
export const idsIn = (rows: readonly Ids[], name: 'sub' | 'client_id'): string[] => {
  const of_actors = rows.flatMap(({ actor = '' }) =>
    actor.startsWith(ACTOR[name]) ? [actor.slice(ACTOR[name].length)] : [],
  )
  const own = rows.flatMap((row) => row[name] ?? [])
  return [...new Set([...of_actors, ...own])].slice(0, MAX_NAMED)
}

type Listed = Readonly<Record<string, string>>

/** One request to the API, for users and clients each. */
async function read(c: OwnVisit, area: 'users' | 'clients', rows: readonly Ids[]): Promise<Listed[]> {
  const name = area === 'users' ? 'sub' : 'client_id'
  const ids = idsIn(rows, name)
  if (ids.length === 0 || !c.may(area, 'read')) return []
  const answer = await c.api({ method: 'GET', path: apiPath(c, area), query: { [name]: ids.join(' ') } })
  return problemOf(answer) === null ? (answer.body as { items: Listed[] }).items : []
}

export async function withNames(c: OwnVisit, rows: readonly Ids[]): Promise<NamedVisit> {
  const [users, clients] = await Promise.all([read(c, 'users', rows), read(c, 'clients', rows)])
  return {
    ...c,
    usernames: new Map(users.map(({ sub = '', username = '' }) => [sub, username])),
    client_names: new Map(clients.map(({ client_id = '', client_name = '' }) => [client_id, client_name])),
  }
}

/** The username, or the `sub` of a user who was deleted, with a link for who may read users. */
export function userLink(c: NamedVisit, sub: string): Html {
  const { html, usernames } = c
  const username = usernames.get(sub)
  return username === undefined
    ? linked(c, ['users', sub], code(c, sub))
    : linked(c, ['users', sub], html`<bdi title="${sub}">${username}</bdi>`)
}

/** The id first: an application that registered itself may call itself anything. */
export function clientLink(c: NamedVisit, client_id: string): Html {
  const { html, client_names } = c
  const name = client_names.get(client_id) ?? client_id
  return html`${linked(c, ['clients', client_id], code(c, client_id))}${name !== client_id && html` <small><bdi>${name}</bdi></small>`}`
}

const linked = (c: OwnVisit, [area, id]: readonly ['users' | 'clients', string], shown: Html): Html =>
  c.may(area, 'read') ? c.html`<a href="${pathOf(c, area, id)}">${shown}</a>` : shown
