/**
 * A process that trusts the certificate of a test's mail server (NODE_EXTRA_CA_CERTS). Its arguments are the URL and the
 * limit of time. It writes one line: the reply of
 * the server to a mail, or the reason for which it was not sent.
 */

import { tryConnection } from '../src/mail/smtp-connection.js'
import { smtpMailer } from '../src/mail/smtp-mailer.js'
import { outgoing } from './outgoing-mail.js'

const [url = '', milliseconds = ''] = process.argv.slice(2)
const timeout_ms = Number(milliseconds)
let answer = ''
const mailer = smtpMailer(url, {
  timeout_ms,
  on_reply: (reply) => {
    answer = reply
  },
})
try {
  await tryConnection(url, timeout_ms)
  await mailer.send(outgoing())
} catch (error) {
  answer = (error as Error).message
}
mailer.close()
process.stdout.write(answer)
