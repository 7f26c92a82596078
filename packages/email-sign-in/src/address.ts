import { addressIn } from '@ostiary/core/common'
import type { User } from '@ostiary/identity'

/** The key of the user's confirmed address. Null for none, and for one that was only claimed. */
export function confirmedKey(user: Pick<User, 'claims'> | null): string | null {
  const { email, email_verified } = user?.claims ?? {}
  return email_verified === true && typeof email === 'string' ? addressIn(email) : null
}
