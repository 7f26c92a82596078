/** Who signs up in a realm. */

import type { ConfigFault } from '@ostiary/core'
import { addressIn } from '@ostiary/core/common'

/** Who makes an account by themselves in a realm. */
export interface SignUpSettings {
  /** `domains`: who reads the mails to an address of `signup_domains`. `open`: who reads the mails to any address. */
  signup: 'off' | 'domains' | 'open'
  /** Exactly these domains, in lower case, for `domains`. A subdomain is another one. */
  signup_domains?: readonly string[]
}

/**
 * What is wrong with the settings; the paths are those of `SignUpSettings`.
 * @param base The path of the settings, for the messages.
 */
export function signUpFaults(settings: SignUpSettings, base = ''): ConfigFault[] {
  const { signup, signup_domains, ...others } = settings
  const fault = (path: string, message: string): ConfigFault[] => [{ path, message }]
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    return fault(unknown, 'there is no such setting: there are signup and signup_domains')
  if (!['off', 'domains', 'open'].includes(signup)) return fault('signup', 'give off, domains or open')
  if (signup !== 'domains')
    return signup_domains === undefined
      ? []
      : fault(
          'signup_domains',
          `they have no effect with ${base}signup "${signup}": set that to "domains", or remove this key`,
        )
  if (!signup_domains?.length)
    return fault('signup', `"domains" needs ${base}signup_domains: list the domains of the addresses`)
  return signup_domains
    .filter((domain) => addressIn(`a@${domain}`) !== `a@${domain}`)
    .flatMap((domain) =>
      fault(
        'signup_domains',
        `${JSON.stringify(domain)} is no domain: give one in lower case, such as example.com`,
      ),
    )
}
