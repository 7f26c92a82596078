/** How users of a realm get in again by mail. */

import type { ConfigFault } from '@ostiary/core'

/** How users of a realm get in again who have lost their passkeys or codes. */
export interface RecoverySettings {
  /** Whether a mail is a part of it: together with a recovery code at once, or alone after the delay. */
  mail: boolean
  /** How long a recovery without a code waits, in seconds: from an hour to 30 days. 86,400, a day, when absent. */
  delay?: number
}

export const DEFAULT_DELAY = 86_400
/** An owner who sleeps, or is on a journey, has to see the mails. */
const MIN_DELAY = 3600
const MAX_DELAY = 2_592_000

/**
 * What is wrong with the settings; the paths are those of `RecoverySettings`.
 * @param base The path of the settings, for the messages.
 */
export function recoveryFaults(settings: RecoverySettings, base = ''): ConfigFault[] {
  const { mail, delay, ...others } = settings
  const fault = (path: string, message: string): ConfigFault[] => [{ path, message }]
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return fault(unknown, 'there is no such setting: there are mail and delay')
  if (typeof mail !== 'boolean') return fault('mail', 'give true or false')
  if (delay === undefined) return []
  if (!Number.isInteger(delay) || delay < MIN_DELAY || delay > MAX_DELAY)
    return fault('delay', `give a whole number of seconds from ${MIN_DELAY} to ${MAX_DELAY}`)
  return mail
    ? []
    : fault('delay', `it has no effect while ${base}mail is false: set that to true, or remove this key`)
}
