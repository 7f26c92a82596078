import * as z from 'zod'
import { FEATURE_GRANT_TYPES } from '../features/declarations.js'

/** Values of `grant_type`. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  ...FEATURE_GRANT_TYPES,
] as const

/** The grants of a client. */
export const grantTypes = z
  .array(z.enum(GRANT_TYPES))
  .default(['authorization_code', 'refresh_token'])
  .describe('The grants that it may use')
