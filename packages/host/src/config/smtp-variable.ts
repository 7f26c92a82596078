/** Reads the URL of the mail server from the variable that `identity.mail.smtp_url_env` names. */

import type { ConfigFault } from '@ostiary/core'
import type * as z from 'zod'
import { readSmtpUrl, SMTP_URL_FAULT } from '../network/smtp-url.js'
import { type Environment, setting } from './environment.js'
import type { MailSettings, mailSchema } from './mail-settings.js'

/** @returns Null where the variable holds the URL of a mail server. */
export function smtpUrlFault(env: Environment, name: string): string | null {
  const url = setting(env, name)
  if (url === undefined) return `the variable ${name} is not set: set it to the URL of your mail server`
  return readSmtpUrl(url) === null ? `the URL in the variable ${name}: ${SMTP_URL_FAULT}` : null
}

/** @returns Null when the realm sends no mails. @param path Of the keys. */
export function mailSettings(
  keys: z.output<typeof mailSchema>,
  path: string,
  { env, faults, entry_secrets }: { env: Environment; faults: ConfigFault[]; entry_secrets: boolean },
): MailSettings | null {
  if (keys === undefined) return null
  const message = entry_secrets ? smtpUrlFault(env, keys.smtp_url_env) : null
  if (message !== null) faults.push({ path: `${path}.smtp_url_env`, message })
  return { ...keys, smtp_url: entry_secrets ? (setting(env, keys.smtp_url_env) ?? '') : null }
}
