/** What doctor says about the mail server. */

import { type SmtpOptions, startSmtp } from '@ostiary/test-kit/mail/smtp'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished } from 'vitest'
import { checkMail } from '../src/mail/check-mail.ts'
import { configure, FILE } from './support.ts'

const identity = (smtp_url_env?: string) => ({ mail: { from: 'id@example.com', smtp_url_env } })

async function findings(url: string) {
  const { realms } = await configure({ ...FILE, identity: identity() }, { SMTP_URL: url })
  return checkMail({ realms })
}

async function mailServer(options: SmtpOptions) {
  const server = await startSmtp(options)
  onTestFinished(() => server.close())
  return server
}

it('nothing where no realm sends mails', async () => {
  const { realms } = await configure(FILE)
  expect(await checkMail({ realms })).toEqual([])
})

it('that it answers, and that it accepts the credentials, without the password and without a mail', async () => {
  const server = await mailServer({ auth: { user: 'id', pass: 'secret' } })
  expect(await findings(server.url)).toEqual([
    {
      status: 'ok',
      message: `smtp://(hidden)@127.0.0.1:${server.port} answers, and accepts the credentials`,
    },
  ])
  expect([server.logins(), server.mails]).toEqual([1, []])
  const open = await mailServer({})
  expect(await findings(open.url)).toEqual([{ status: 'ok', message: `${open.url} answers` }])
})

it('the same server of several realms once', async () => {
  const [one, other] = [await mailServer({}), await mailServer({})]
  const oidc = { routes: { realms: 'path' }, realms: { a: {}, b: {}, c: {}, d: {} } }
  const realms = {
    a: { identity: identity() },
    b: { identity: identity() },
    c: { identity: identity('OTHER') },
  }
  const config = await configure({ app: FILE.app, oidc, realms }, { SMTP_URL: one.url, OTHER: other.url })
  expect((await checkMail(config)).map(({ message }) => message)).toEqual([
    `${one.url} answers`,
    `${other.url} answers`,
  ])
  expect([one.connections(), other.connections()]).toEqual([1, 1])
})

const RIGHT = { user: 'id', pass: 'right' }

interface Case {
  name: string
  options: SmtpOptions
  message: string
  advice: string
}

it.each<Case>([
  {
    name: 'a certificate that is not trusted',
    options: { tls: 'implicit', auth: RIGHT },
    message: 'has a certificate that is not trusted, or no TLS',
    advice:
      'In SMTP_URL, give the name that is in the certificate. Name the file of your own CA in NODE_EXTRA_CA_CERTS. On this machine, where no TLS is needed, write smtp://.',
  },
  {
    name: 'a server without STARTTLS',
    options: { hides_starttls: true, auth: RIGHT },
    message: 'offers no STARTTLS, and nothing is sent unencrypted',
    advice: 'In SMTP_URL, write smtps:// and its port for TLS, or turn STARTTLS on there.',
  },
  {
    name: 'credentials that are refused',
    options: { auth: RIGHT },
    message: 'refuses the credentials, or asks for some',
    advice: 'Correct the user name and the password in SMTP_URL. Write %40 for @, %2F for / and %25 for %.',
  },
])('$name: a fault, with what to do', async ({ options, message, advice }) => {
  const server = await mailServer(options)
  const url = server.url.replace(RIGHT.pass, 'wrong')
  const shown = url.replace('id:wrong', '(hidden)')
  expect(await findings(url)).toEqual([{ status: 'fault', message: `${shown} ${message}`, advice }])
  expect(server.mails).toEqual([])
})

it('a server that cannot be reached is a fault', async () => {
  const url = `smtps://id:secret@127.0.0.1:${await freePort()}`
  expect(await findings(url)).toEqual([
    {
      status: 'fault',
      message: `${url.replace('id:secret', '(hidden)')} cannot be reached, or ends the connection`,
      advice:
        'Start it, or correct SMTP_URL, and let this machine connect to it. With port 465, write smtps://.',
    },
  ])
})
