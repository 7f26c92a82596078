/** The user of a simulation: a username or a sub. */

import { type ApiFault, apiPath, type Field, problemOf } from '@ostiary/console'
import type { ShownClient } from '../clients/client.js'
import type { OwnVisit } from '../visit.js'

export interface TypedUser {
  /** Without spaces around it; empty for none. */
  typed: string
  /** Null for none, and for one that there is not. */
  sub: string | null
}

/** The field has the name `user`, as the parameter of an address that fills it in. */
export async function typedUser(c: OwnVisit): Promise<TypedUser> {
  const { request, form, url } = c
  const given = request.method === 'POST' ? form.get('user') : url.searchParams.get('user')
  const typed = (given ?? '').trim()
  if (request.method !== 'POST' || typed === '') return { typed, sub: null }
  const listed = await read<{ items: { sub: string }[] }>(c, apiPath(c, 'users'), { username: typed })
  const [named] = listed?.items ?? []
  const user = named ?? (await read<{ sub: string }>(c, apiPath(c, 'users', typed)))
  return { typed, sub: user?.sub ?? null }
}

async function read<Body>(c: OwnVisit, path: string, query = {}): Promise<Body | null> {
  const answer = await c.api({ method: 'GET', path, query })
  return problemOf(answer) === null ? (answer.body as Body) : null
}

/** What is wrong with the user. @param needed Whether there has to be one. */
export function userFaults({ text }: OwnVisit, { typed, sub }: TypedUser, needed: boolean): ApiFault[] {
  if (sub !== null || (typed === '' && !needed)) return []
  return [{ pointer: 'user', message: text(typed === '' ? 'try.user_needed' : 'try.user_unknown') }]
}

export const userField = ({ text }: OwnVisit, hint: string): Field => ({
  name: 'user',
  label: text('try.user'),
  hint,
  max_length: 1024,
  pointers: ['user', '/sub', '/username'],
})

/** With how many steps the user has signed in. */
export const levelField = ({ text }: OwnVisit): Field => ({
  name: 'level',
  label: text('try.level'),
  kind: 'select',
  choices: [
    ['1', text('try.level_one')],
    ['2', text('try.level_two')],
  ],
  pointers: ['/session'],
})

export const scopeField = ({ text }: OwnVisit): Field => ({
  name: 'scope',
  label: text('try.scope'),
  hint: text('try.scope_hint'),
  max_length: 4096,
  pointers: ['/scopes'],
})

export const resourceField = ({ text }: OwnVisit): Field => ({
  name: 'resource',
  label: text('try.resource'),
  hint: text('try.resource_hint'),
  max_length: 2048,
  pointers: ['/resource'],
})

/** What the lines of code ask for that connect a client, as far as its own lists have it. */
export function usualScopes({ default_scopes, optional_scopes }: ShownClient): string {
  const own = optional_scopes && [...optional_scopes, ...(default_scopes ?? [])]
  return USUAL_SCOPES.filter((scope) => !own || own.includes('*') || own.includes(scope)).join(' ')
}

const USUAL_SCOPES = ['openid', 'profile', 'email']

/** The member `session`, and the options of the command. */
export function sessionOf(sub: string, level: string) {
  const options = [['sub', sub] as const, ['level', level === '2' ? '2' : '1'] as const]
  return { body: { sub, session: { level: level === '2' ? 2 : 1 } }, options }
}
