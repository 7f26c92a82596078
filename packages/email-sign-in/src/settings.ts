/** The keys that belong together. */

import type { ConfigFault } from '@ostiary/core'

/** What the keys of a realm say about names. */
export interface NameKeys {
  sign_in_with: readonly ('username' | 'email')[]
  password: { enabled?: boolean | undefined }
  email_codes?: boolean | undefined
  recovery: { mail: boolean }
}

/** What is wrong with them. @param base The path of the keys, such as `identity.` */
export function signInWithFaults(keys: NameKeys, base: string): ConfigFault[] {
  const path = `${base}sign_in_with`
  const { sign_in_with, password, email_codes, recovery } = keys
  const names = sign_in_with.join()
  if (names !== 'username' && names !== 'username,email')
    return [{ path, message: 'give ["username"], or ["username", "email"]' }]
  if (names === 'username' || password.enabled !== false || email_codes || recovery.mail) return []
  const message = `no page asks for a name, since ${base}password.enabled is false, and neither ${base}email_codes nor ${base}recovery.mail is true: set one of the three to true, or remove "email"`
  return [{ path, message }]
}
