/** Users who sign in with their address, as the configuration turns it on. */

import type { EmailSignIn } from '@ostiary/email-sign-in'
import type { HostConfig } from '../config/host-config.js'
import type { HostStorage } from '../storage/host-storage.js'

/** Null where no realm has it, and then nothing is loaded. */
export async function emailSignInOf(
  { sign_in_with: realms }: Pick<HostConfig, 'sign_in_with'>,
  { users, addresses }: Pick<HostStorage, 'users' | 'addresses'>,
): Promise<EmailSignIn | null> {
  if (realms === undefined) return null
  const { createEmailSignIn } = await import('@ostiary/email-sign-in')
  return createEmailSignIn({ realms, users, ...(addresses && { addresses }) })
}

/** The addresses that were stored before, or by a release that does not enter them. */
export interface AddressFill {
  /** Begins, once, without waiting for it. After a failure, the next call begins anew. */
  start(): void
  /** Resolves when nothing is under way. */
  stop(): Promise<void>
}

export function addressFill(by_email: EmailSignIn | null, failed: (error: unknown) => void): AddressFill {
  let running: Promise<void> | null = null
  let is_stopped = false
  return {
    start() {
      if (is_stopped) return
      running ??=
        by_email
          ?.fill(() => is_stopped)
          .catch((error: unknown) => {
            running = null
            failed(error)
          }) ?? null
    },
    async stop() {
      is_stopped = true
      await running
    },
  }
}
