/** Usernames and email addresses, as every package compares and shows them. */

/** In characters. */
export const MAX_USERNAME_LENGTH = 255

/** The key under which a username is looked up (NFKC, trimmed, lower case), or null when no user can have it. */
export function usernameKey(username: string): string | null {
  if (username.length > MAX_USERNAME_LENGTH) return null
  const key = username.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  // Databases may refuse control characters and unpaired surrogates, and a user cannot type them.
  const impossible = key === '' || key.length > MAX_USERNAME_LENGTH || /[\p{Cc}\p{Cs}]/u.test(key)
  return impossible ? null : key
}

/** One address, in the form that SMTP takes without quotes: an address with spaces, quotes or line ends is not used. */
export const isAddress = (email: unknown): email is string =>
  typeof email === 'string' &&
  email.length <= 254 &&
  /^[^\p{Cc}\p{Z}"<>()[\]\\,;:@]+@[^\p{Cc}\p{Z}"<>()\\,;@]+$/u.test(email)

/**
 * The key of usernames of a typed email address; null for a text that is none. The mail goes to the key itself: two texts with one key have one
 * mailbox, so that no second mailbox proves the name of the first. Characters that a reader does not see are refused.
 */
export function addressIn(text: string): string | null {
  const key = usernameKey(text)
  const labels = key?.slice(key.indexOf('@') + 1).split('.')
  return isAddress(key) && !/\p{Cf}/u.test(key) && !labels?.includes('') ? key : null
}

/** For a sentence. A name of another direction does not turn the sentence around it (Unicode Bidirectional Algorithm, UAX 9: FSI and PDI). */
export const isolated = (name: string): string => (/^[\x20-\x7e]*$/.test(name) ? name : `\u2068${name}\u2069`)
