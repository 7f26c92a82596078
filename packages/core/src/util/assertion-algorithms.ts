/** The accepted algorithms of a client's assertion (RFC 7523 §3): never `none`, and none with a shared secret. */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const

export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number]
