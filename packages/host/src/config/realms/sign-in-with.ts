/** The key `identity.sign_in_with`: what users type to say who they are. */

import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { identityKeys } from './identity-keys.js'

export const signInWithSchema = z
  .array(z.enum(['username', 'email']))
  .default(['username'])
  .describe('With "email", users may type their confirmed address in place of the username')

interface RealmKeys {
  identity: {
    sign_in_with: ('username' | 'email')[]
    password: { enabled?: boolean | undefined }
    email_codes?: boolean | undefined
    recovery: { mail: boolean }
  }
}

/** @returns The ids of the realms in which users sign in with their address. */
export async function readSignInWith(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  faults: ConfigFault[],
): Promise<string[]> {
  const read: string[] = []
  for (const { id, path, keys } of identityKeys(config)) {
    if (keys.sign_in_with.join() === 'username') continue
    const { signInWithFaults } = await import('@ostiary/email-sign-in')
    faults.push(...signInWithFaults(keys, `${path}.`))
    read.push(id)
  }
  return read
}
