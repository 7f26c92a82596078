/** A change of the secret while mails wait to be sent. The commands run in this process. */

import type { QueuedMail } from '@ostiary/identity/mail'
import { postgresStores } from '@ostiary/storage-postgres'
import type { CleanUp } from '@ostiary/test-kit/database'
import { queuedMail } from '@ostiary/test-kit/mail/queued-mail'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it } from 'vitest'
import { createSealer } from '../../../packages/identity/src/web/sealed.ts'
import { database } from './commands.ts'

const NEW_SECRET = `${SECRET} after the change`
const ROTATION = { OIDC_SECRET: NEW_SECRET, OIDC_SECRET_PREVIOUS: SECRET }

const sealedWith = (secret: string, mail_id: string, realm = 'default'): QueuedMail =>
  queuedMail(mail_id, { realm, data: createSealer({ secret }, 'mail').seal({ to: 'ann' }, [realm, mail_id]) })

async function withMails(addCleanup: CleanUp, pending: readonly QueuedMail[]) {
  const made = await database(addCleanup)
  const { mails } = postgresStores(made.executor)
  for (const mail of pending) await mails.add(mail)
  const findings = async () => {
    const { stdout } = await made.quick('doctor --offline --json', { env: ROTATION })
    const checks: { check: string; status: string; message: string; advice?: string }[] =
      JSON.parse(stdout).checks
    return checks
      .filter(({ message }) => message.includes('OIDC_SECRET'))
      .map(({ check, status, message }) => `${check}, ${status}: ${message}`)
  }
  const readable = async (secret: string) => {
    const sealer = createSealer({ secret }, 'mail')
    const all = await mails.page({ limit: 9 })
    return all
      .filter(({ data, realm, mail_id }) => sealer.open(data, [realm, mail_id]) !== null)
      .map(({ mail_id }) => mail_id)
  }
  return {
    ...made,
    findings,
    readable,
    rotated: (more = '') => made.quick(`secret rotate${more}`, { env: ROTATION }),
  }
}

it('secret rotate encrypts the pending mails of all realms again, and doctor says whether it is needed', async ({
  onTestFinished,
}) => {
  const { findings, readable, rotated } = await withMails(onTestFinished, [
    sealedWith(SECRET, 'a'),
    sealedWith(NEW_SECRET, 'b'),
    // A realm that the configuration does not name (any more).
    sealedWith(SECRET, 'c', 'acme'),
  ])
  expect(await findings()).toEqual([
    'keys, note: OIDC_SECRET_PREVIOUS still encrypts 1 pending mail of realm default',
  ])
  const first = await rotated()
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Every server needs both secrets before: .*\nREALM .*\ndefault .*\n3 pending mails, 2 encrypted again\n$/,
    ),
    events: [{ count: { encrypted_again: 0, apps_encrypted_again: 0, mails_encrypted_again: 2 } }],
  })
  expect(first.stderr).toContain(
    'All keys, authenticator apps and pending mails are encrypted with OIDC_SECRET.',
  )
  expect([await readable(NEW_SECRET), await readable(SECRET)]).toEqual([['a', 'b', 'c'], []])
  expect(await findings()).toEqual([])
  expect(JSON.parse((await rotated(' --json')).stdout).mails).toEqual({
    pending: 3,
    encrypted_again: 0,
    unreadable: 0,
  })
})

it('a mail that neither secret opens: a note of the rotation, and a fault', async ({ onTestFinished }) => {
  const { findings, rotated } = await withMails(onTestFinished, [sealedWith(`${SECRET} of long ago`, 'a')])
  const { code, stderr } = await rotated()
  expect(code).toBe(0)
  expect(stderr).toContain(
    'Neither secret opens 1 pending mail: run it again with the secret of before in OIDC_SECRET_PREVIOUS. Without that secret, they are not sent.',
  )
  expect(stderr).not.toContain('Unset OIDC_SECRET_PREVIOUS')
  expect(await findings()).toEqual([
    'mail, fault: another secret than OIDC_SECRET and OIDC_SECRET_PREVIOUS has encrypted 1 pending mail',
  ])
})
