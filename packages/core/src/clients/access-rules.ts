/** What an operator gives to say who may use a client. */

import * as z from 'zod'

const MAX_GROUPS = 100
/** Characters, as in the record of a user. */
const MAX_GROUP_LENGTH = 255

export const allowedGroups = z
  .array(
    z
      .string()
      .min(1)
      .max(MAX_GROUP_LENGTH)
      .refine(
        (name) => !/[\p{Cc}\p{Cs}]/u.test(name),
        'a group has no control characters or unpaired surrogates',
      ),
  )
  .min(1, 'name at least one group, or leave it out: then all users may use it')
  .max(MAX_GROUPS)
  .optional()
  .describe('Only users in one of these groups may use it; when absent, all')

export const requiredAcr = z
  .string()
  .min(1)
  .optional()
  .describe('How its users have to sign in at least: one of oidc.acr_values_supported')
