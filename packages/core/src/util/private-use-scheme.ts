/** A name of a scheme that an app derives from a domain of its own (RFC 8252 §7.1): it has a dot. */
export const isPrivateUseScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/.test(scheme)
