/** The mails of a realm that wait to be sent, and a test mail. */

import { randomBytes } from 'node:crypto'
import type { Throttle } from '@ostiary/core'
import type { MailOptions } from '@ostiary/identity/mail'
import * as z from 'zod'
import { EPOCH, PAGE, pageOf, pageOfList } from './lists.js'
import { operation, type QueryRunner, type RealmCall } from './operation.js'
import { OperationError } from './operation-error.js'

/** Where mails are. */
export interface MailSources {
  /** Null when no realm mails. */
  mail: { queue: Pick<MailOptions['queue'], 'page'>; of: MailOptions['of'] } | null
  /** The database of the queue; undefined where it is in memory. */
  records: QueryRunner | undefined
  /** The counters of a realm. */
  throttle(realm: string): Pick<Throttle, 'hit'>
}

/** A mail that waits. What it says, and to whom, is encrypted. */
interface WaitingMail {
  mail_id: string
  created_at: number
  attempts: number
  next_attempt_at: number
}

/** Test mails of a realm in an hour: the address is any one. */
const MAX_TESTS = 10
const HOUR = 3600

const MAILS = `
  select mail_id, created_at, attempts, next_attempt_at from oidc_mails
  where realm = $1 and mail_id > $2 order by mail_id limit $3`

/** In the order of their ids, after one of them. */
async function waitingMails(
  { mail, records }: MailSources,
  { realm, after, count }: { realm: string; after: string; count: number },
): Promise<WaitingMail[]> {
  if (records !== undefined) return records.query<WaitingMail>(MAILS, [realm, after, count])
  const found: WaitingMail[] = []
  for (let last = after; found.length < count; ) {
    const page = (await mail?.queue.page({ after: last, limit: count })) ?? []
    for (const { mail_id, created_at, attempts, next_attempt_at, realm: of } of page)
      if (of === realm) found.push({ mail_id, created_at, attempts, next_attempt_at })
    if (page.length < count) break
    last = page.at(-1)?.mail_id ?? ''
  }
  return found.slice(0, count)
}

/** @throws OperationError 409, 429 */
async function test({ mail, throttle }: MailSources, call: RealmCall, to: string) {
  const { realm, now, audit } = call
  const settings = mail?.of(realm) ?? null
  if (settings === null)
    throw new OperationError('conflict', {
      detail:
        'The realm sends no mails: set identity.mail.from, and the variable that identity.mail.smtp_url_env names',
    })
  const { issuer } = (await call.parts()).realm
  if (call.is_planned) return { to, sent: true, reason: null }
  if ((await throttle(realm).hit('mail:test', HOUR, now)) > MAX_TESTS)
    throw new OperationError('too_many_requests', {
      detail: `A realm sends at most ${MAX_TESTS} test mails an hour`,
      headers: { 'retry-after': String(HOUR - (now % HOUR)) },
    })
  const { mailer, from, reply_to } = settings
  const send = async () => {
    await mailer.send({
      from,
      ...(reply_to !== undefined && { reply_to }),
      to,
      subject: 'Test email',
      text: `The realm ${realm} of ${issuer} can send emails.\n`,
      html: '',
      message_id: `${randomBytes(16).toString('base64url')}@${new URL(issuer).hostname}`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return true
  }
  try {
    await (audit?.change({ realm, type: 'mail.test' }, send) ?? send())
    return { to, sent: true, reason: null }
  } catch (error) {
    if (!(error instanceof Error && error.name === 'MailError')) throw error
    return { to, sent: false, reason: (error as Error & { reason: string }).reason }
  }
}

const shownMail = z.object({
  mail_id: z.string(),
  created_at: EPOCH,
  attempts: z.int().describe('Those that have begun; after the first one, the mail server refused it'),
  next_attempt_at: EPOCH,
})

export const mailOperations = (sources: MailSources) => [
  operation({
    id: 'mail.list',
    method: 'GET',
    path: '/mail',
    summary: 'List the mails that wait to be sent, in the order of their ids',
    area: 'users',
    access: 'read',
    query: z.strictObject(PAGE),
    answers: { 200: pageOf(shownMail) },
    async run(call, { query }) {
      const { realm } = call
      const page = await pageOfList(call, {
        list: 'mail',
        query,
        async read(after, count) {
          return { found: await waitingMails(sources, { realm, after, count }), reached: null }
        },
        idOf: ({ mail_id }) => mail_id,
      })
      return { body: page }
    },
  }),
  operation({
    id: 'mail.test',
    method: 'POST',
    path: '/mail/test',
    summary: 'Send a test mail at once, and say whether the mail server has accepted it',
    area: 'realms',
    access: 'write',
    body: z.strictObject({ to: z.email().max(254).describe('One address') }),
    answers: {
      200: z.object({
        to: z.string(),
        sent: z.boolean(),
        reason: z.string().nullable().describe('Why not, as in the event mail.failed'),
      }),
    },
    async run(call, { body }) {
      return { body: await test(sources, call, body.to) }
    },
  }),
]
