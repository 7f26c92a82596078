/** The operations on what a user has: sessions, grants and consents. */

import * as z from 'zod'
import { given } from '../given.js'
import { type Answer, type Call, operation } from '../operation.js'
import { notFound, present } from '../problem.js'
import { EPOCH, listOf, NULLABLE, TEXTS } from '../schemas.js'
import { found, ONE as USER } from './users.js'
import { reachable } from './ways-in.js'

const shownSession = z.looseObject({
  sid: z.string(),
  amr: TEXTS,
  acr: NULLABLE,
  created_at: EPOCH,
  expires_at: EPOCH,
  client_ids: TEXTS,
})
const shownGrant = z.looseObject({
  grant_id: z.string(),
  client_id: z.string(),
  scopes: TEXTS,
  resource: NULLABLE,
  offline: z.boolean(),
  created_at: EPOCH,
  expires_at: EPOCH,
})
const shownConsent = z.looseObject({
  client_id: z.string(),
  resource: z.string(),
  scopes: TEXTS,
  created_at: EPOCH,
  revoked_at: EPOCH.nullable(),
})
const named_resource = z.string().min(1).optional().describe('Only for this resource')
const named_client = z.string().min(1).optional().describe('Only of this client')

const READS = { method: 'GET', access: 'read' } as const
const ENDS = { method: 'DELETE', access: 'write' } as const

/** @throws ProblemError 404 */
const subOf = async (call: Call): Promise<string> => (await found(call)).sub

/** Of a user whose access the caller may end. @throws ProblemError 403, 404 */
const changeable = async (call: Call): Promise<string> => (await reachable(call)).sub

async function sessions(call: Call): Promise<Answer> {
  const listed = await call.management.sessions.list(await subOf(call))
  return { body: { items: listed.map(({ session_hash: _, ...session }) => session) } }
}

/** @throws ProblemError 404 for a session of another user, too. */
async function endSession(call: Call): Promise<Answer> {
  const sub = await changeable(call)
  const known = await call.management.sessions.list(sub)
  const { sid = '' } = call.params
  if (!known.some((session) => session.sid === sid)) throw notFound()
  const { grants } = present(await call.management.sessions.end(sid))
  return { body: { sids: [sid], grants } }
}

const SESSIONS = [
  operation({
    ...READS,
    id: 'sessions.list',
    path: `${USER}/sessions`,
    summary: 'List the sessions of a user',
    area: 'sessions',
    answers: { 200: listOf(shownSession) },
    run: sessions,
  }),
  operation({
    ...ENDS,
    id: 'sessions.end_all',
    path: `${USER}/sessions`,
    summary: 'End all sessions of a user; grants with offline access stay',
    area: 'sessions',
    answers: { 200: z.object({ sids: TEXTS, grants: z.int() }) },
    run: async (call) => ({ body: await call.management.sessions.endAll(await changeable(call)) }),
  }),
  operation({
    ...ENDS,
    id: 'sessions.end',
    path: `${USER}/sessions/{sid}`,
    summary: 'End a session, like a logout',
    area: 'sessions',
    answers: { 200: z.object({ sids: TEXTS, grants: z.int() }) },
    run: endSession,
  }),
]

const GRANTS = [
  operation({
    ...READS,
    id: 'grants.list',
    path: `${USER}/grants`,
    summary: 'List the grants of a user that have not ended',
    area: 'sessions',
    answers: { 200: listOf(shownGrant) },
    run: async (call) => ({ body: { items: await call.management.grants.list(await subOf(call)) } }),
  }),
  operation({
    ...ENDS,
    id: 'grants.revoke',
    path: `${USER}/grants`,
    summary: 'Revoke grants of a user, with their tokens',
    area: 'sessions',
    query: z.strictObject({ client_id: named_client, resource: named_resource }),
    answers: { 200: z.object({ revoked: z.int() }) },
    async run(call, { query: { client_id, resource } }) {
      const selection = { sub: await changeable(call), ...given({ client_id, resource }) }
      return { body: { revoked: await call.management.grants.revoke(selection) } }
    },
  }),
]

const CONSENTS = [
  operation({
    ...READS,
    id: 'consents.list',
    path: `${USER}/consents`,
    summary: 'List the consents of a user, withdrawn ones too',
    area: 'consents',
    answers: { 200: listOf(shownConsent) },
    run: async (call) => ({ body: { items: await call.management.consents.list(await subOf(call)) } }),
  }),
  operation({
    ...ENDS,
    id: 'consents.revoke',
    path: `${USER}/consents/{client_id}`,
    summary: 'Withdraw the consent of a user to a client, and revoke the grants that it covers',
    area: 'consents',
    query: z.strictObject({ resource: named_resource }),
    answers: { 200: z.object({ revoked: z.int() }) },
    async run(call, { query: { resource } }) {
      const sub = await changeable(call)
      const selection = { sub, ...given({ resource }), client_id: call.params.client_id ?? '' }
      return { body: { revoked: await call.management.consents.revoke(selection) } }
    },
  }),
]

export const ACCESS = [...SESSIONS, ...GRANTS, ...CONSENTS]
