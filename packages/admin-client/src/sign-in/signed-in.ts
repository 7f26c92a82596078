import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'

/** The tokens of a sign-in. */
export type SignedIn = TokenEndpointResponse & TokenEndpointResponseHelpers
