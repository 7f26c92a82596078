/** The forms that create a user, and that change one. */

import { actPage } from '../pages/act.js'
import { type Field, linesIn } from '../pages/parts.js'
import { apiPath, pathOf } from '../paths.js'
import type { OwnVisit } from '../visit.js'
import { randomText } from '../web/seal.js'
import { common, doneAt } from './act-parts.js'
import { claimOf, readUser, type ShownUser } from './user.js'

type Value = (name: string) => string
type Option = readonly [string, string | null]

const fieldsOf = ({ text }: OwnVisit): Field[] => [
  {
    name: 'username',
    label: text('user.username'),
    required: true,
    max_length: 255,
    pointers: ['/username'],
  },
  {
    name: 'name',
    label: text('word.name'),
    hint: text('user.name_hint'),
    max_length: 1000,
    pointers: ['/claims/name'],
    is_prose: true,
  },
  {
    name: 'email',
    label: text('user.email'),
    max_length: 320,
    pointers: ['/claims/email', '/claims/email_verified'],
  },
  {
    name: 'email_verified',
    label: text('user.email_verified'),
    hint: text('user.email_verified_hint'),
    kind: 'checkbox',
  },
  {
    name: 'groups',
    label: text('user.groups'),
    hint: text('user.groups_hint'),
    kind: 'lines',
    pointers: ['/groups'],
  },
]

/** The claims that the form has. */
const NAMES = ['name', 'email'] as const

/** A `sub` as the commands make it: 128 random bits. */
const newSub = (): string => randomText().slice(0, 22)

const SUB = /^[\w-]{22}$/

/** @throws nothing: a `sub` of another form is replaced. */
const subIn = (value: string): string => (SUB.test(value) ? value : newSub())

export function createUserPage(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const sub = subIn(c.form.get('sub') ?? '')
  const password: Field = {
    name: 'password',
    label: text('user.password'),
    hint: text('user.password_hint'),
    kind: 'password',
    autocomplete: 'new-password',
    max_length: 1024,
    pointers: ['/password'],
  }
  return actPage(c, {
    area: 'users',
    title: text('users.new'),
    intro: html`<p>${text('users.new_lead')}</p>`,
    fields: [...fieldsOf(c), password],
    kept: { sub },
    button: text('users.create'),
    back: pathOf(c, 'users'),
    deed: (value) => creation(c, sub, value),
    done: () => `${pathOf(c, 'users', sub)}?done=user_created`,
  })
}

function creation(c: OwnVisit, sub: string, value: Value) {
  const is_verified = value('email') !== '' && value('email_verified') === '1'
  const claims = Object.fromEntries(
    NAMES.flatMap((name) => (value(name) === '' ? [] : [[name, value(name)]])),
  )
  const groups = linesIn(value('groups'))
  const password = value('password')
  const has_password = password !== ''
  const options: Option[] = [
    ['sub', sub],
    ...Object.entries(claims).map(([name, text]): Option => ['claim', `${name}=${text}`]),
    ...(is_verified ? [['email-verified', null] as Option] : []),
    ...groups.map((name): Option => ['group', name]),
    [has_password ? 'password-stdin' : 'no-password', null],
  ]
  const body = {
    username: value('username'),
    ...(has_password && { password }),
    claims: { ...claims, ...(is_verified && { email_verified: true }) },
    ...(groups.length > 0 && { groups }),
  }
  return {
    call: { method: 'PUT', path: apiPath(c, 'users', sub), body, is_new: true } as const,
    commands: [{ name: 'user create', args: [value('username')], options }],
    ...(has_password && { secret: 'password' }),
  }
}

export async function editUserPage(c: OwnVisit, sub: string): Promise<Response> {
  const { html, text } = c
  const found = await readUser(c, sub)
  if (found instanceof Response) return found
  const { record: user, etag } = found
  return actPage(c, {
    ...common(c, user),
    title: text('word.edit'),
    intro: html`<p><bdi>${user.username}</bdi></p>`,
    fields: fieldsOf(c),
    values: {
      username: user.username,
      name: claimOf(user, 'name'),
      email: claimOf(user, 'email'),
      email_verified: user.claims.email_verified === true ? '1' : '',
      groups: (user.groups ?? []).join('\n'),
    },
    kept: { etag },
    button: text('word.save'),
    deed: (value) => change(c, user, value),
    done: doneAt(c, user, 'user_changed'),
  })
}

/** Only what is another value than before. */
function change(c: OwnVisit, user: ShownUser, value: Value) {
  const options: Option[] = []
  const claims: Record<string, unknown> = {}
  for (const name of NAMES) {
    const given = value(name)
    if (given === claimOf(user, name)) continue
    claims[name] = given === '' ? null : given
    options.push(given === '' ? ['remove-claim', name] : ['claim', `${name}=${given}`])
  }
  const is_verified = value('email_verified') === '1'
  if (is_verified !== (user.claims.email_verified === true)) {
    claims.email_verified = is_verified
    options.push(['claim', `email_verified=${is_verified}`])
  }
  const username = value('username')
  if (username !== user.username) options.push(['username', username])
  const former = user.groups ?? []
  const groups = linesIn(value('groups'), former)
  const other_groups = groups.join('\n') !== former.join('\n')
  if (other_groups && groups.length > 0) options.push(...groups.map((name): Option => ['group', name]))
  if (other_groups && groups.length === 0)
    options.push(...former.map((name): Option => ['remove-group', name]))
  const body = {
    ...(username !== user.username && { username }),
    ...(Object.keys(claims).length > 0 && { claims }),
    ...(other_groups && { groups }),
  }
  return {
    call: { method: 'PATCH', path: apiPath(c, 'users', user.sub), body, if_match: value('etag') } as const,
    commands: [{ name: 'user update', args: [user.sub], options: [['sub', null] as Option, ...options] }],
  }
}
