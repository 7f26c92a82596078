/** `ostiary mail test --server`: the server sends a mail, to a real mail server, and tells less of it than the command on the machine. */

import { type SmtpOptions, startSmtp } from '@ostiary/test-kit/mail/smtp'
import { expect, it, onTestFinished } from 'vitest'
import { MAILS, place, SERVER } from './_places.ts'

const LINE = `mail test ann@example.org --server ${SERVER}`

async function placeWith(options: SmtpOptions = {}) {
  const mail_server = await startSmtp(options)
  onTestFinished(() => mail_server.close())
  const at = await place({ config: MAILS, smtp_url: mail_server.url })
  return { mail_server, at, test: () => at.command(LINE, { connect: at.connect }) }
}

it('sends one mail, without the words of the mail server', async () => {
  const { mail_server, at, test } = await placeWith()
  const { code, printed, event } = await test()
  expect([code, printed?.text]).toEqual([0, 'The mail server has accepted the mail'])
  expect(printed?.json).toEqual({ realm: 'default', to: 'ann@example.org' })
  expect(event).toEqual({ count: { mails: 1 } })
  expect(mail_server.mails).toMatchObject([{ recipients: ['ann@example.org'], subject: 'Test email' }])
  expect(await at.executor.query("select type, outcome from oidc_audit where type = 'mail.test'")).toEqual([
    { type: 'mail.test', outcome: 'done' },
  ])
})

it('a mail that is refused says so, and what to do', async () => {
  const { mail_server, test } = await placeWith({ refuse: { 'ann@example.org': 550 } })
  const { code, failure, event } = await test()
  expect([code, event]).toEqual([1, null])
  expect(failure).toEqual({
    message:
      'The mail was not sent: smtp_550. On the machine of the server, ostiary mail test shows what the mail server answers',
  })
  expect(mail_server.mails).toEqual([])
})

it.each([null, {}, { sent: 'yes' }, { sent: false, reason: '\u001b[2J' }])(
  'the answer %j of another server is no mail that was sent',
  async (body) => {
    const { at } = await placeWith()
    const answer = { status: 200, headers: new Headers(), body }
    const connect = async () => ({ server: SERVER, request: async () => answer })
    const { code, failure } = await at.command(LINE, { connect })
    expect([code, failure]).toEqual([
      1,
      { message: expect.stringMatching(/^The mail was not sent: [ -~]+$/) },
    ])
  },
)
