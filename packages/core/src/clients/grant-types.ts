import * as z from 'zod'

const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

/** The grants of a client. */
export const grantTypes = z
  .array(z.enum(GRANT_TYPES))
  .default(['authorization_code', 'refresh_token'])
  .describe('The grants that it may use')
