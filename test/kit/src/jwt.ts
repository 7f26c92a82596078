/** Parts of a JWT, unverified. */

const decoded = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

export const jwtHeader = (jwt: string): Record<string, unknown> => decoded(jwt.split('.')[0])
export const jwtClaims = (jwt: string): Record<string, unknown> => decoded(jwt.split('.')[1])
