/** What differs at the providers that most people have an account with. */

/** Of a user's account at Google: the address says who the user is only where Google hosts it. */
export const GOOGLE_ISSUER = 'https://accounts.google.com'

const MICROSOFT_ORIGIN = 'https://login.microsoftonline.com'

/** What the discovery document of several tenants has as its issuer. */
export const MICROSOFT_TEMPLATE = `${MICROSOFT_ORIGIN}/{tenantid}/v2.0`

/** Issuers that stand for the accounts of all, or of many, tenants. */
const MICROSOFT_SHARED = ['common', 'organizations', 'consumers'].map(
  (name) => `${MICROSOFT_ORIGIN}/${name}/v2.0`,
)

export const isMicrosoft = (issuer: string): boolean => issuer.startsWith(`${MICROSOFT_ORIGIN}/`)

export const hasManyTenants = (issuer: string): boolean => MICROSOFT_SHARED.includes(issuer)

/** The spelling of links. */
export const APPLE_ISSUER = 'https://appleid.apple.com'

/** Apple has used both, in its discovery document and in ID tokens, and not always the same one in both. */
export const APPLE_ISSUERS: readonly string[] = [APPLE_ISSUER, 'https://account.apple.com']

export const isApple = (issuer: string): boolean => APPLE_ISSUERS.includes(issuer)

/** The issuer in links of GitHub, which is no OpenID provider. */
export const GITHUB_ISSUER = 'https://github.com'

/** Whether the links of these settings have this issuer. */
export function isIssuerOf(
  { type, issuer = '' }: { type: string; issuer?: string },
  of_link: string,
): boolean {
  if (type === 'github') return of_link === GITHUB_ISSUER
  if (isApple(issuer)) return of_link === APPLE_ISSUER
  return hasManyTenants(issuer) ? isMicrosoft(of_link) : of_link === issuer
}
