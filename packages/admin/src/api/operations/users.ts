/** The operations on users: the same functions as those of the commands. */

import type { User, UserChanges } from '@ostiary/identity'
import * as z from 'zod'
import { mergedMembers } from '../merge-patch.js'
import { type Answer, type Call, operation } from '../operation.js'
import { pageOfList } from '../page.js'
import { etagOf, requireAbsent, requireMatch, requireNoneNamed } from '../preconditions.js'
import { changedMeanwhile, ProblemError, present, refusalOf } from '../problem.js'
import { beyondOf, protectionOf, refuseConfigured, requireBelow } from '../protect.js'
import {
  EPOCH,
  IDS,
  OVERWRITE,
  PAGE,
  PROTECTION,
  pageOf,
  SECONDS,
  TEXT,
  TEXTS,
  withProtection,
} from '../schemas.js'
import { searchUsers } from './user-search.js'

/** What is a member of the user, and no claim. */
const NO_CLAIMS: readonly string[] = ['username', 'password', 'sub', 'attributes', 'groups']
const claims = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    for (const name of NO_CLAIMS)
      if (Object.hasOwn(given, name))
        context.addIssue({ code: 'custom', path: [name], message: 'it is no claim' })
  })
  .describe('By the names of OpenID Connect Core §5.1')
const attributes = z.record(z.string(), z.unknown()).nullable()
const groups = TEXTS.nullable()
const username = z.string().min(1).max(255)
const putBody = z.strictObject({
  username,
  password: z.string().min(1).optional().describe('Of a user who is created'),
  claims: claims.optional(),
  attributes: attributes.optional(),
  groups: groups.optional(),
})
const patchBody = z.strictObject({
  username: username.optional(),
  claims: claims.nullable().optional(),
  attributes: attributes.optional(),
  groups: groups.optional(),
})
export const shownUser = z.looseObject({
  sub: z.string(),
  username: z.string(),
  has_password: z.boolean(),
  claims,
  attributes,
  groups,
  created_at: EPOCH,
  updated_at: EPOCH,
  disabled_at: EPOCH.nullable(),
})
/** Of an answer after which nothing of the user goes on. */
export const ended = z.object({ sub: z.string(), sessions: z.int(), grants: z.int() })
export const WRITES = { area: 'users', access: 'write' } as const
/** What removes a way to sign in. */
export const REMOVES = { ...WRITES, method: 'DELETE', recent: true } as const
export const READS = { area: 'users', access: 'read', method: 'GET' } as const
/** The path of a user. */
export const ONE = '/users/{sub}'

const shown = ({ password_hash, username_key: _, ...user }: User) => ({
  ...user,
  has_password: password_hash !== null,
})

/** @param more Further members of the answer. */
export function answerOf(user: User, status = 200, more: object = {}): Answer {
  const body = shown(user)
  return { status, headers: { etag: etagOf(body) }, body: { ...body, ...more } }
}

/** @throws ProblemError 404 */
export const found = async ({ users, params }: Call): Promise<User> =>
  present(await users.find(params.sub ?? ''))

/** A user that the caller may change. @throws ProblemError 403, 404, 409 */
export async function changeable(call: Call): Promise<User> {
  const user = await found(call)
  await requireBelow(call, user.sub)
  refuseConfigured(configuredPath(call, user))
  return user
}

/** The path of a user in the configuration; undefined for none. */
export const configuredPath = (
  { configured, identity }: Call,
  { sub, username_key }: Pick<User, 'sub' | 'username_key'>,
) =>
  configured.users.find(({ user }) =>
    user.sub === undefined ? identity.usernameKey(user.username) === username_key : user.sub === sub,
  )?.path

/** @throws ProblemError 409 in a realm without passwords. */
export async function requirePasswords({ passwords }: Call): Promise<object> {
  const settings = await passwords()
  if (settings !== null) return settings
  const message = 'identity.password.enabled is false: users of this realm have no passwords'
  throw refusalOf('conflict', '/password', message)
}

type Overwrite = { overwrite?: boolean | undefined }

async function get(call: Call, is_shown: boolean | undefined): Promise<Answer> {
  const user = await found(call)
  if (!is_shown) return answerOf(user)
  return answerOf(user, 200, protectionOf(await beyondOf(call, user.sub), configuredPath(call, user)))
}

async function put(call: Call, body: z.output<typeof putBody>, query: Overwrite): Promise<Answer> {
  const sub = call.params.sub ?? ''
  const stored = await call.users.find(sub)
  await requireBelow(call, sub)
  const {
    username: name,
    claims: given = {},
    attributes: own = null,
    groups: in_groups = null,
    password,
  } = body
  if (stored === null) {
    requireNoneNamed(call.request)
    refuseConfigured(configuredPath(call, { sub, username_key: call.identity.usernameKey(name) ?? '' }))
    // The `sub` of a client's own token is its client_id.
    if (await call.plans.clients.find(sub)) throw new ProblemError('conflict', 'The sub is that of a client')
    const input = {
      ...given,
      ...(own && { attributes: own }),
      ...(in_groups && { groups: in_groups }),
      ...(password && { password }),
      username: name,
      sub,
    }
    const options = { ...(password && (await requirePasswords(call))), now: () => call.now }
    return answerOf(await call.identity.createUser(call.users, input, options), 201)
  }
  refuseConfigured(configuredPath(call, stored))
  requireAbsent(call.request, etagOf(shown(stored)))
  return changed(call, stored, {
    query,
    changes: { username: name, claims: given, attributes: own, groups: in_groups },
  })
}

async function patch(call: Call, body: z.output<typeof patchBody>, query: Overwrite): Promise<Answer> {
  const stored = await changeable(call)
  const changes = {
    ...mergedMembers(stored, body),
    ...(body.claims === null && { claims: {} }),
  } as UserChanges
  return changed(call, stored, { query, changes })
}

/** Changes the user that the caller has seen. @throws ProblemError 412, 428 */
async function changed(
  call: Call,
  stored: User,
  { query, changes }: { query: Overwrite; changes: UserChanges },
): Promise<Answer> {
  const etag = etagOf(shown(stored))
  const wanted = { ...shown(stored), ...changes }
  if (etagOf(wanted) === etag) return answerOf(stored)
  requireMatch({ request: call.request, ...query }, etag)
  const is_named = call.request.headers.get('if-match') !== null
  const updated = await call.identity.updateUser(
    call.users,
    {
      sub: stored.sub,
      change(now_stored) {
        if (is_named && etagOf(shown(now_stored)) !== etag) throw changedMeanwhile()
        return changes
      },
    },
    { now: () => call.now },
  )
  return answerOf(present(updated).user)
}

async function remove(call: Call, query: Overwrite): Promise<Answer> {
  const user = await changeable(call)
  const { sub } = user
  requireMatch({ request: call.request, ...query }, etagOf(shown(user)))
  // Disabled first: no sign-in that is under way can leave a session, a grant or a consent.
  await call.identity.setDisabled(call.users, { sub, disabled: true }, { now: () => call.now })
  const report = await call.management.users.delete(sub)
  await call.users.delete(sub)
  return { body: { sub, ...report } }
}

async function list(call: Call, query: z.output<typeof listQuery>): Promise<Answer> {
  const found_users = await searchUsers(call, query)
  if (found_users !== null) return { body: { ...found_users, items: found_users.items.map(shown) } }
  const { items, next } = await pageOfList(call, {
    list: 'users',
    query,
    read: call.users.list,
    idOf: ({ sub }) => sub,
  })
  return { body: { items: items.map(shown), next } }
}

const listQuery = z.strictObject({
  ...PAGE,
  sub: IDS,
  username: TEXT.describe('Only the user with this username'),
  username_prefix: z
    .string()
    .max(255)
    .optional()
    .describe('Whose username begins with this text, by username; all if empty'),
  address: TEXT.describe('Only the user who signs in with this address'),
  group: TEXT.describe('Users in this group; a page may be short, or empty'),
  created_after: SECONDS.describe(
    'Users who were created after this time, in epoch seconds; a page may be short, or empty',
  ),
})

export const USERS = [
  operation({
    ...READS,
    id: 'users.list',
    path: '/users',
    summary: 'List users',
    query: listQuery,
    answers: { 200: pageOf(shownUser) },
    run: (call, { query }) => list(call, query),
  }),
  operation({
    ...READS,
    id: 'users.get',
    path: ONE,
    summary: 'A user',
    query: PROTECTION,
    answers: { 200: withProtection(shownUser) },
    has_etag: true,
    run: (call, { query }) => get(call, query.protection),
  }),
  operation({
    id: 'users.put',
    method: 'PUT',
    path: ONE,
    summary: 'Create a user, who has no way to sign in yet, or replace all that is set of one',
    ...WRITES,
    query: z.strictObject(OVERWRITE),
    needs_match: true,
    body: putBody,
    answers: { 200: shownUser, 201: shownUser },
    has_etag: true,
    run: (call, { query, body }) => put(call, body, query),
  }),
  operation({
    id: 'users.patch',
    method: 'PATCH',
    path: ONE,
    summary: 'Change members of a user',
    ...WRITES,
    query: z.strictObject(OVERWRITE),
    needs_match: true,
    body: patchBody,
    is_patch: true,
    answers: { 200: shownUser },
    has_etag: true,
    run: (call, { query, body }) => patch(call, body, query),
  }),
  operation({
    id: 'users.delete',
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a user with everything that is stored about the user',
    ...WRITES,
    recent: true,
    query: z.strictObject(OVERWRITE),
    needs_match: true,
    answers: { 200: ended.extend({ consents: z.int() }) },
    run: (call, { query }) => remove(call, query),
  }),
]
