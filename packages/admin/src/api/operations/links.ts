/** The operations on accounts of users at other providers, and on addresses with which users sign in. */

import type { Link } from '@ostiary/identity'
import * as z from 'zod'
import { type Answer, type Call, operation } from '../operation.js'
import type { RealmParts } from '../parts.js'
import { changedMeanwhile, notFound, ProblemError } from '../problem.js'
import { EPOCH, listOf } from '../schemas.js'
import { NO_ADDRESSES } from './user-search.js'
import { ended, found, ONE, READS, REMOVES } from './users.js'
import { reachable } from './ways-in.js'

const shownLink = z.looseObject({
  upstream: z.string().describe('The id of the provider in the configuration'),
  issuer: z.string(),
  subject: z.string(),
  label: z.string(),
  linked_at: EPOCH,
  last_used_at: EPOCH.nullable(),
})
const removal = ended.extend({
  removed: z.array(z.object({ upstream: z.string(), issuer: z.string(), subject: z.string() })),
})
const shownAddress = z.object({
  address: z.string(),
  verified: z.boolean(),
  sign_in: z
    .enum(['signs_in', 'shared', 'username', 'missing'])
    .nullable()
    .describe('`shared`: another user has confirmed it too; `username`: it is that of another user'),
})

const shown = ({ sub: _, ...link }: Link) => link

/** @throws ProblemError 404 in a realm without the capability. */
function requirePart<Name extends 'links' | 'addresses'>(
  parts: RealmParts,
  name: Name,
  sentence: string,
): NonNullable<RealmParts[Name]> {
  const part = parts[name]
  if (part === null) throw new ProblemError('not_found', sentence)
  return part
}

const linksOf = async (call: Call) =>
  requirePart(await call.parts(), 'links', 'identity.upstreams is not set: the realm has no other providers')

async function remove(call: Call, upstream: string | null): Promise<Answer> {
  const user = await reachable(call)
  const links = await linksOf(call)
  const removed = await links.remove(user, upstream)
  if (removed === 'no_link') throw notFound()
  if (removed === 'changed') throw changedMeanwhile()
  if (removed === 'last_way_in')
    throw new ProblemError(
      'conflict',
      'The user could not sign in any more: set a password first, or disable the user',
    )
  const { sub } = user
  const access = await call.management.users.endAccess(sub)
  const named = removed.map(({ upstream: id, issuer, subject }) => ({ upstream: id, issuer, subject }))
  return { body: { sub, removed: named, ...access } }
}

async function addresses(call: Call): Promise<Answer> {
  const user = await found(call)
  const ways = requirePart(await call.parts(), 'addresses', NO_ADDRESSES)
  const { email, email_verified } = user.claims
  if (typeof email !== 'string') return { body: { items: [] } }
  const sign_in = await ways.useOf(user)
  return { body: { items: [{ address: email, verified: email_verified === true, sign_in }] } }
}

export const LINKS = [
  operation({
    ...READS,
    id: 'links.list',
    path: `${ONE}/links`,
    summary: 'List the accounts of a user at other providers',
    answers: { 200: listOf(shownLink) },
    async run(call) {
      const { sub } = await found(call)
      return { body: { items: (await (await linksOf(call)).list(sub)).map(shown) } }
    },
  }),
  operation({
    ...REMOVES,
    id: 'links.remove_all',
    path: `${ONE}/links`,
    summary: 'Remove all accounts of a user at other providers; sessions and grants end',
    answers: { 200: removal },
    run: (call) => remove(call, null),
  }),
  operation({
    ...REMOVES,
    id: 'links.remove',
    path: `${ONE}/links/{upstream}`,
    summary: 'Remove the accounts of a user at one provider; sessions and grants end; the last way in stays',
    answers: { 200: removal },
    run: (call) => remove(call, call.params.upstream ?? ''),
  }),
  operation({
    ...READS,
    id: 'addresses.list',
    path: `${ONE}/addresses`,
    summary: 'List the addresses of a user, and whether the user signs in with them',
    answers: { 200: listOf(shownAddress) },
    run: addresses,
  }),
]
