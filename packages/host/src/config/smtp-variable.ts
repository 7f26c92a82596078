/** Reads the URL of the mail server from the variable that `identity.mail.smtp_url_env` names. */

import type { ConfigFault } from '@ostiary/core'
import type * as z from 'zod'
import { readSmtpUrl } from '../mail/smtp-url.js'
import { type Environment, setting } from './environment.js'
import type { MailSettings, mailSchema } from './mail-settings.js'

/** @returns A fault without the URL, which may hold a password. */
export function smtpUrlIn(env: Environment, name: string): { smtp_url: string } | { fault: string } {
  const smtp_url = setting(env, name)
  if (smtp_url === undefined)
    return {
      fault: `the variable ${name} is not set: set it to smtps://user:password@host:465, for your mail server`,
    }
  const server = readSmtpUrl(smtp_url)
  return 'fault' in server ? { fault: `in the variable ${name}, ${server.fault}` } : { smtp_url }
}

/** @returns Null when the realm sends no mails, or after a fault. @param path Of the keys. */
export function mailSettings(
  keys: z.output<typeof mailSchema>,
  path: string,
  { env, faults, entry_secrets }: { env: Environment; faults: ConfigFault[]; entry_secrets: boolean },
): MailSettings | null {
  if (keys === undefined) return null
  if (!entry_secrets) return { ...keys, smtp_url: null }
  const read = smtpUrlIn(env, keys.smtp_url_env)
  if (!('fault' in read)) return { ...keys, ...read }
  faults.push({ path: `${path}.smtp_url_env`, message: read.fault })
  return null
}
