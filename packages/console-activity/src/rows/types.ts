/** The types of rows of refused sign-ins and requests. A client that does not authenticate has one of these beside its own. */
export const REFUSED = ['login.refused', 'authorization.refused', 'request.refused'] as const
