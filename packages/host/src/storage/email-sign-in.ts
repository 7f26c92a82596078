/** Users who sign in with their address, as the configuration turns it on. */

import type { EmailSignIn } from '@ostiary/email-sign-in'
import type { HostConfig } from '../config/host-config.js'
import { given } from '../values/given.js'
import type { HostStorage } from './host-storage.js'

/** Null where no realm has it, and then nothing is loaded. */
export async function emailSignInOf(
  { sign_in_with: realms }: Pick<HostConfig, 'sign_in_with'>,
  { users, addresses }: Pick<HostStorage, 'users' | 'addresses'>,
): Promise<EmailSignIn | null> {
  if (realms === undefined) return null
  const { createEmailSignIn } = await import('@ostiary/email-sign-in')
  return createEmailSignIn({ realms, users, ...given({ addresses }) })
}
