/** The operations that change how a user gets in, and what goes on of it. */

import * as z from 'zod'
import { type Answer, type Call, operation } from '../operation.js'
import { notFound, refusalOf } from '../problem.js'
import { answerOf, ended, found, ONE, requirePasswords, shownUser, WRITES } from './users.js'
import { reachable } from './ways-in.js'

async function setState(call: Call, disabled: boolean): Promise<Answer> {
  const { sub, disabled_at } = await reachable(call)
  if ((disabled_at !== null) !== disabled)
    await call.identity.setDisabled(call.users, { sub, disabled }, { now: () => call.now })
  const ends = disabled ? await call.management.users.endAccess(sub) : {}
  return answerOf(await found(call), 200, ends)
}

/** Sets a password, and ends what began with the former one. */
async function setPassword(call: Call, password: string): Promise<Answer> {
  const { sub } = await reachable(call)
  const options = { ...(await requirePasswords(call)), now: () => call.now }
  const is_set = await call.identity
    .setPassword(call.users, { sub, password }, options)
    .catch((error: Error) => {
      if (error.name !== 'UserError') throw error
      throw refusalOf('invalid_request', '/password', error.message)
    })
  if (!is_set) throw notFound()
  return { body: { sub, ...(await call.management.users.endAccess(sub)) } }
}

export const USER_ACCESS = [
  operation({
    id: 'users.password',
    method: 'POST',
    path: `${ONE}/password`,
    summary: 'Set the password of a user, whose sessions and grants end',
    ...WRITES,
    body: z.strictObject({ password: z.string().min(1) }),
    answers: { 200: ended },
    run: (call, { body }) => setPassword(call, body.password),
  }),
  operation({
    id: 'users.disable',
    method: 'POST',
    path: `${ONE}/disable`,
    summary: 'Disable a user, whose sessions and grants end',
    ...WRITES,
    answers: { 200: shownUser.extend({ sessions: z.int(), grants: z.int() }) },
    has_etag: true,
    run: (call) => setState(call, true),
  }),
  operation({
    id: 'users.enable',
    method: 'POST',
    path: `${ONE}/enable`,
    summary: 'Enable a user again',
    ...WRITES,
    answers: { 200: shownUser },
    has_etag: true,
    run: (call) => setState(call, false),
  }),
  operation({
    id: 'users.end_access',
    method: 'POST',
    path: `${ONE}/end-access`,
    summary: 'End all sessions and grants of a user',
    area: 'sessions',
    access: 'write',
    answers: { 200: ended },
    async run(call) {
      const { sub } = await reachable(call)
      return { body: { sub, ...(await call.management.users.endAccess(sub)) } }
    },
  }),
]
