/** Mails that wait to be sent, and cannot be read. */

import type { MailQueue, MailSurvey } from '@ostiary/identity/mail'
import type { HostConfig } from '../config/host-config.js'
import { appsText } from './factors.js'
import { type Finding, fault } from './finding.js'

/** Counts the mails of all realms while the secret is being changed. */
export async function surveyPending(
  { secret, previous_secret }: Pick<HostConfig, 'secret' | 'previous_secret'>,
  mails: MailQueue,
): Promise<MailSurvey> {
  if (previous_secret === undefined) return { pending: 0, unreadable: 0, sealed_before: new Map() }
  const { surveyMails } = await import('@ostiary/identity/mail')
  return surveyMails(mails, { secret, previous_secret })
}

export const mailsText = (count: number): string => `${count} pending mail${count === 1 ? '' : 's'}`

export const checkMails = ({ unreadable }: MailSurvey): Finding[] =>
  unreadable === 0
    ? []
    : [
        fault(
          'mail',
          `another secret than OIDC_SECRET and OIDC_SECRET_PREVIOUS has encrypted ${mailsText(unreadable)}`,
          'Set OIDC_SECRET_PREVIOUS to that secret, and run ostiary secret rotate. Until then they are not sent.',
        ),
      ]

/** Of another secret: the authenticator apps and the pending mails that there are. */
export const sealedTexts = (apps: number, mails: number): string[] => [
  ...(apps === 0 ? [] : [appsText(apps)]),
  ...(mails === 0 ? [] : [mailsText(mails)]),
]
