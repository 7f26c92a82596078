/** A server that mails, and a mail server. */

import { eventually } from '@ostiary/test-kit/eventually'
import {
  type ReceivedMail,
  type SmtpOptions,
  type SmtpTestServer,
  startSmtp,
} from '@ostiary/test-kit/mail/smtp'
import { configFor, startServer } from '@ostiary/test-kit/server'
import { onTestFinished } from 'vitest'
import { database, inThisProcess } from './commands.ts'

/** @param redirect_uri Of the clients. @param identity Beside the mail. */
export async function mailWorld(
  options: SmtpOptions = {},
  redirect_uri = 'http://127.0.0.1/callback',
  identity: object = {},
) {
  const smtp = await startSmtp(options)
  onTestFinished(() => smtp.close())
  const { env, executor } = await database(onTestFinished)
  const mail = { from: 'Example <id@example.com>' }
  const config = (port: number) => ({ ...configFor(redirect_uri)(port), identity: { mail, ...identity } })
  const trusted = smtp.ca_file === '' ? {} : { NODE_EXTRA_CA_CERTS: smtp.ca_file }
  /** One more server on the same database. */
  const start = async (port?: number) => {
    const server = await startServer({
      config,
      env: { ...env, ...trusted, SMTP_URL: smtp.url },
      ...(port !== undefined && { port }),
    })
    onTestFinished(async () => void (await server.stop()))
    return server
  }
  const server = await start()
  const configured = config(Number(new URL(server.issuer).port))
  /** Runs a command for the server. */
  const command = (line: string) => inThisProcess(line, { env, config: configured })
  return { smtp, server, start, command, executor }
}

/** The mail with this subject. */
export const received = (smtp: SmtpTestServer, subject: string): Promise<ReceivedMail> =>
  eventually(() => {
    const found = smtp.mails.find((mail) => mail.subject === subject)
    if (found === undefined)
      throw new Error(`No mail "${subject}" among ${smtp.mails.map((mail) => mail.subject)}`)
    return found
  })

export const linkIn = ({ text }: ReceivedMail): string =>
  /http:\S+\/login\/(?:reset|ticket|signup|regain|address)\?[ct]=\S+/.exec(text ?? '')?.[0] ?? ''

/** Asks for a mail for a new password, without a browser. */
export async function askForMail(issuer: string, username: string): Promise<Response> {
  const page = await fetch(`${issuer}/login/recover`)
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec(await page.text()) ?? []
  const body = new URLSearchParams({ csrf_token, username })
  const headers = { cookie: cookies.join('; ') }
  return fetch(`${issuer}/login/recover`, { method: 'POST', body, headers, redirect: 'manual' })
}
