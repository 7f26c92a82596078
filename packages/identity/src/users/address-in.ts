import { isAddress } from '../outbox/address.js'
import { usernameKey } from './user-store.js'

/**
 * The key of usernames of a typed email address; null for a text that is none. The mail goes to the key itself: two texts with one key have one
 * mailbox, so that no second mailbox proves the name of the first. Characters that a reader does not see are refused.
 */
export function addressIn(text: string): string | null {
  const key = usernameKey(text)
  const labels = key?.slice(key.indexOf('@') + 1).split('.')
  return isAddress(key) && !/\p{Cf}/u.test(key) && !labels?.includes('') ? key : null
}
