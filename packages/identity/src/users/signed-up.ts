import { isDeepStrictEqual } from 'node:util'
import type { User } from './user-store.js'

/**
 * Whether the user is as a sign-up makes it, and never had a way to sign in: who reads the mails to the address may choose the first one. A
 * user whom an operator has given anything is not.
 */
export const isJustSignedUp = ({ username_key, claims, ...user }: User): boolean =>
  !user.credential_version &&
  user.password_hash === null &&
  user.disabled_at === null &&
  isDeepStrictEqual(
    [claims, user.attributes, user.groups],
    [{ email: username_key, email_verified: true }, null, null],
  )
