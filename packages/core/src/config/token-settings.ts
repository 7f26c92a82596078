/** The keys `oidc.tokens.*`. */

import * as z from 'zod'
import { MAX_REFRESH_GRACE } from '../util/refresh-grace.js'
import { group, seconds } from './values.js'

export const tokenSettings = group('How long codes and tokens are valid, in seconds', {
  authorization_code: seconds.default(60).describe('Seconds that a code is valid'),
  access_token: seconds.default(900).describe('Seconds that an access token is valid'),
  id_token: seconds.default(3600).describe('Seconds that an ID token is valid'),
  client_credentials: seconds.default(3600).describe('Seconds that a token of client_credentials is valid'),
  refresh_token: seconds
    .default(1_209_600)
    .describe('Seconds that a refresh token is valid; a rotation issues one that is valid as long again'),
  offline_absolute: seconds
    .default(7_776_000)
    .describe('Seconds after which a grant with offline_access ends, even if it is in use'),
  refresh_token_grace: z
    .number()
    .int()
    .nonnegative()
    .max(MAX_REFRESH_GRACE)
    .optional()
    .describe(
      'Seconds in which a spent refresh token still gets the same new token, at most 60; 0: it is refused at once. When absent, 30 for a client that authenticates or proves the key of the grant, and 0 for others',
    ),
  pending_authorization: seconds
    .default(600)
    .describe('Seconds that a request waits for the user to sign in or to consent'),
})
