/** The `identity.signup` and `identity.signup_domains` keys: users make an account by themselves. */

import type { ConfigFault } from '@ostiary/core'
import type { SignUpSettings } from '@ostiary/sign-up'
import * as z from 'zod'
import { given } from '../../values/given.js'
import { identityKeys } from '../realms/identity-keys.js'

export const signUpKeys = {
  signup: z
    .enum(['off', 'domains', 'open'])
    .default('off')
    .describe(
      'Whether users make an account by themselves, with an address that a mail verifies; it needs identity.mail. domains: one of signup_domains. open: any address',
    ),
  signup_domains: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'The domains of the addresses that may sign up, in lower case; a subdomain is another one. For signup domains',
    ),
}

interface RealmKeys {
  identity: {
    signup: SignUpSettings['signup']
    signup_domains?: string[] | undefined
    mail?: object | undefined
  }
}

/** @returns By realm id, of those in which users sign up. */
export async function readSignUp(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  faults: ConfigFault[],
): Promise<Record<string, SignUpSettings>> {
  const all = identityKeys(config).filter(
    ({ keys: { signup, signup_domains } }) => signup !== 'off' || signup_domains !== undefined,
  )
  if (all.length === 0) return {}
  const { signUpFaults } = await import('@ostiary/sign-up')
  const read: Record<string, SignUpSettings> = {}
  for (const { id, path, keys } of all) {
    const base = `${path}.`
    const { signup, signup_domains, mail } = keys
    const settings = { signup, ...given({ signup_domains }) }
    const found = signUpFaults(settings, base)
    if (signup !== 'off' && mail === undefined)
      found.push({
        path: 'signup',
        message: `"${signup}" needs ${base}mail, since a mail verifies the address: set it, or turn sign-up off`,
      })
    faults.push(...found.map((fault) => ({ ...fault, path: base + fault.path })))
    if (signup !== 'off') read[id] = settings
  }
  return read
}
