/** The key `identity.sign_in_with`: what users type to say who they are. */

import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { identityKeys } from './identity-keys.js'

const GIVE = 'give ["username"], or ["username", "email"]'

export const signInWithSchema = z
  .array(z.enum(['username', 'email'], { error: GIVE }), { error: GIVE })
  .refine((names) => names[0] === 'username' && names.length === new Set(names).size, { error: GIVE })
  .optional()
  .describe(
    'What users type at the sign-in, for a forgotten password and for a mailed code: ["username"], when absent, or ["username", "email"]: their confirmed email address too (email_verified)',
  )

interface RealmKeys {
  identity: {
    sign_in_with?: readonly string[] | undefined
    password: { enabled?: boolean | undefined }
    email_codes?: boolean | undefined
    recovery: { mail: boolean }
  }
}

/** @returns The ids of the realms in which users sign in with their address. */
export const readSignInWith = (
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  faults: ConfigFault[],
): string[] =>
  identityKeys(config).flatMap(({ id, path, keys }) => {
    if (!keys.sign_in_with?.includes('email')) return []
    const { password, email_codes, recovery } = keys
    if (password.enabled === false && !email_codes && !recovery.mail)
      faults.push({
        path: `${path}.sign_in_with`,
        message: `no page asks for a name, since ${path}.password.enabled is false, and neither ${path}.email_codes nor ${path}.recovery.mail is true: set one of the three to true, or remove "email"`,
      })
    return id
  })
