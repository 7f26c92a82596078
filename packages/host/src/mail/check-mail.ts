/** Whether the mail servers of the configuration can be used, for an operator. */

import { isLoopbackHost } from '@ostiary/core'
import type { MailError } from '@ostiary/identity/mail'
import type { HostConfig } from '../config/host-config.js'
import { hidden } from '../config/redacted.js'
import { tryConnection } from './smtp-connection.js'

/** The state of a mail server. */
export type MailFinding =
  | { status: 'ok'; message: string }
  | { status: 'fault'; message: string; advice: string }

/** Connects to each mail server, and signs in. Sends nothing. */
export function checkMail({ realms }: Pick<HostConfig, 'realms'>): Promise<MailFinding[]> {
  const variables = new Map<string, string>()
  for (const { mail } of Object.values(realms))
    if (mail?.smtp_url) variables.set(mail.smtp_url, mail.smtp_url_env)
  return Promise.all(
    [...variables].map(([url, variable]) =>
      tryConnection(url).then(
        (): MailFinding => {
          const signed_in = url.includes('@') ? ', and accepts the credentials' : ''
          return { status: 'ok', message: `${hidden(url)} answers${signed_in}` }
        },
        (error: MailError): MailFinding => ({ status: 'fault', ...mailFault(error, { url, variable }) }),
      ),
    ),
  )
}

/** What an error means for the operator. @param variable That has the URL of the mail server. */
export function mailFault(
  { reason, permanent }: MailError,
  { url, variable }: { url: string; variable: string },
): { message: string; advice: string } {
  const no_tls = isLoopbackHost(new URL(url).hostname)
    ? 'On this machine, where no TLS is needed'
    : 'With port 587'
  const reach = `Start it, or correct ${variable}, and let this machine connect to it. With port 465, write smtps://.`
  const known: Record<string, [message: string, advice: string]> = {
    unreachable: ['cannot be reached, or ends the connection', reach],
    timeout: ['does not answer in time', reach],
    tls: [
      'has a certificate that is not trusted, or no TLS',
      `In ${variable}, give the name that is in the certificate. Name the file of your own CA in NODE_EXTRA_CA_CERTS. ${no_tls}, write smtp://.`,
    ],
    starttls: [
      'offers no STARTTLS, and nothing is sent unencrypted',
      `In ${variable}, write smtps:// and its port for TLS, or turn STARTTLS on there.`,
    ],
    auth: [
      'refuses the credentials, or asks for some',
      `Correct the user name and the password in ${variable}. Write %40 for @, %2F for / and %25 for %.`,
    ],
  }
  const [message, advice] = known[reason] ?? [
    `refuses it (${reason})`,
    `${permanent ? 'Correct the address of the recipient, or ask' : 'Ask'} its operator whether this machine may send mails from identity.mail.from.`,
  ]
  return { message: `${hidden(url)} ${message}`, advice }
}
