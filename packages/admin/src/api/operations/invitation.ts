/** The operations on the link with which a new user chooses how to sign in. */

import type { UserInput } from '@ostiary/identity'
import * as z from 'zod'
import { type Answer, type Call, operation } from '../operation.js'
import { pageOfList } from '../page.js'
import type { OpenInvitation } from '../parts.js'
import { present } from '../problem.js'
import { EPOCH, NULLABLE, PAGE, pageOf } from '../schemas.js'
import { changeable, found, ONE, READS, WRITES } from './users.js'
import { keepLink, openTicket } from './ways-in.js'

const shownInvitation = z.object({ sub: z.string(), created_at: EPOCH, expires_at: EPOCH })
const listedInvitation = shownInvitation.extend({ username: z.string(), email: NULLABLE })
const madeInvitation = z.object({
  sub: z.string(),
  link: NULLABLE.describe('It works once; null when it is mailed'),
  expires_at: EPOCH,
})
const body = z.strictObject({
  print: z.boolean().optional().describe('true: the link is in the answer, and nothing is mailed'),
})

/** @throws ProblemError 404 without one that can be used. */
async function get(call: Call): Promise<Answer> {
  const { sub, created_at, expires_at } = present(await openTicket(call, await found(call), 'invite'))
  return { body: { sub, created_at, expires_at } }
}

async function make(call: Call, print: boolean): Promise<Answer> {
  const user = await changeable(call)
  const { invite } = await call.parts()
  const { sub, username, claims } = user
  const input = { sub, username, ...(claims.email !== undefined && { email: claims.email }) } as UserInput
  const { url, expires_at } = await invite(input, print)
  await keepLink(call, sub, 'invite')
  return { status: 201, body: { sub, link: url, expires_at } }
}

const PATH = `${ONE}/invitation`

export const INVITATION = [
  operation({
    ...READS,
    id: 'invitations.list',
    path: '/invitations',
    summary: 'List the users who were invited and have not used the link, sorted by sub',
    query: z.strictObject(PAGE),
    answers: { 200: pageOf(listedInvitation) },
    async run(call, { query }) {
      const { invitations: read } = await call.parts()
      const idOf = ({ sub }: OpenInvitation) => sub
      return { body: await pageOfList(call, { list: 'invitations', query, read, idOf }) }
    },
  }),
  operation({
    ...READS,
    id: 'invitation.get',
    path: PATH,
    summary: 'The invitation of a user that can be used, without its link',
    answers: { 200: shownInvitation },
    run: get,
  }),
  operation({
    ...WRITES,
    id: 'invitation.make',
    method: 'POST',
    path: PATH,
    summary:
      'Invite a user who has no way to sign in yet: a link for 7 days, which is mailed where the realm mails; an older one ends',
    recent: true,
    body,
    answers: { 201: madeInvitation },
    run: (call, { body: { print = false } }) => make(call, print),
  }),
]
