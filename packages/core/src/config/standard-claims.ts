/** The standard claims, by the scope that asks for them: OpenID Connect Core §5.1, §5.4. */

export const CLAIMS_BY_SCOPE: Record<string, readonly string[]> = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

/** Every standard claim (Core §5.1) that an account may carry. */
export const STANDARD_CLAIM_NAMES: readonly string[] = Object.values(CLAIMS_BY_SCOPE).flat()

/** The claims that every realm has: those of ID tokens (Core §2), and the standard ones. */
export const PROVIDED_CLAIM_NAMES: string[] = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'azp',
  'at_hash',
  'sid',
  ...STANDARD_CLAIM_NAMES,
]
