/** One address, in the form that SMTP takes without quotes: an address with spaces, quotes or line ends is not used. */
export const isAddress = (email: unknown): email is string =>
  typeof email === 'string' &&
  email.length <= 254 &&
  /^[^\p{Cc}\p{Z}"<>()[\]\\,;:@]+@[^\p{Cc}\p{Z}"<>()\\,;@]+$/u.test(email)
