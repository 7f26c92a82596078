/** The audit of a server or of a command, where the configuration has one. Its package is loaded then. */

import type { Audit, OpenOptions } from '@ostiary/audit'
import type { HostConfig } from '../config/host-config.js'
import { loggedAddress } from '../log/addresses.js'

/** Null without `audit.enabled`. */
export async function openAudit(
  { audit: settings, log }: HostConfig,
  options: Pick<OpenOptions, 'storage' | 'now' | 'failed' | 'env'>,
): Promise<Audit | null> {
  if (settings === undefined) return null
  const audit = await import('@ostiary/audit')
  const address = (text: string) => loggedAddress(text, log?.addresses ?? 'truncated')
  return audit.openAudit({ ...options, settings, address })
}
