/** The key `oidc.clients.device_authorization`. */

import * as z from 'zod'

export const deviceAuthorization = z
  .enum(['off', 'operator', 'documents'])
  .default('off')
  .describe(
    'The device authorization grant (RFC 8628): for clients that operators make, or also for clients with metadata documents. Clients that registered themselves never have it',
  )
