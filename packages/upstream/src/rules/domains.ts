/** What an address says, and who vouches for it. */

import { GOOGLE_ISSUER } from '../known.js'
import type { UpstreamAnswer } from '../protocol/trip.js'
import type { UpstreamSettings } from '../settings.js'

/** In lower case; null for a text that is no address. */
export function domainOf(address: string | null): string | null {
  const [name = '', domain = '', ...more] = (address ?? '').split('@')
  return name === '' || domain === '' || more.length > 0 ? null : domain.toLowerCase()
}

/** The domain of the address, if the upstream says that it is the user's. */
const verifiedDomain = ({ email, email_verified }: UpstreamAnswer): string | null =>
  email_verified ? domainOf(email) : null

/** What may sign up: any user without `domains`; otherwise one with a verified address of them. */
export function domainFault(
  { domains = [] }: UpstreamSettings,
  answer: UpstreamAnswer,
): 'domain' | 'email_unverified' | null {
  if (domains.length === 0) return null
  const domain = verifiedDomain(answer)
  if (domain === null) return 'email_unverified'
  return domains.includes(domain) && isHostedThere(answer, domain) ? null : 'domain'
}

/** Whether the upstream hands out the addresses of this domain itself, so that a verified one is the user's today too. */
export function isAuthoritative(
  { authoritative_domains = [] }: UpstreamSettings,
  answer: UpstreamAnswer,
): boolean {
  const domain = verifiedDomain(answer)
  return domain !== null && authoritative_domains.includes(domain) && isHostedThere(answer, domain)
}

/**
 * An account at Google may have been made with any address, whose mailbox belongs to another person by now: only of its own domain, and of an
 * organization that Google hosts, is the address the account's.
 */
const isHostedThere = ({ issuer, hosted_domain }: UpstreamAnswer, domain: string): boolean =>
  issuer !== GOOGLE_ISSUER || domain === 'gmail.com' || domain === hosted_domain?.toLowerCase()
