/** The address of a new account, which is its user name. */

import { isAddress, usernameKey } from '@ostiary/identity'

/**
 * The key of the user name, when it is one address; null otherwise. The mail goes to the key itself: two texts with one key have one mailbox, so
 * that no second mailbox proves the name of the first. Characters that a reader does not see are refused.
 */
export function addressIn(text: string): string | null {
  const key = usernameKey(text)
  const has_hidden = key !== null && /\p{Cf}/u.test(key)
  return isAddress(key) && !has_hidden && !domainOf(key).split('.').includes('') ? key : null
}

/** Of an address. */
export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)
