/** The `identity.*` keys: what the sign-in of a realm offers. */

import type { ConfigFault } from '@ostiary/core'
import { type IdentitySettings, settingsFaults } from '@ostiary/identity'
import * as z from 'zod'
import { given } from '../values/given.js'
import { addressKeys } from './addresses/address-settings.js'
import { mailSchema } from './mail-settings.js'
import { passwordSchema } from './password-settings.js'
import { accessSchema } from './realms/access.js'
import { accountDeletionSchema } from './realms/account-deletion.js'
import { emailCodesSchema } from './realms/email-codes.js'
import { signInWithSchema } from './realms/sign-in-with.js'
import { recoverySchema } from './recovery/recovery-settings.js'
import { signUpKeys } from './sign-up/sign-up-settings.js'
import { termsSchema } from './terms/terms-settings.js'
import { upstreamsSchema } from './upstreams/upstream-settings.js'

const DAYS = 'give a whole number of days from 0 to 90'

export const identitySchema = z.strictObject({
  passkeys: z
    .strictObject({
      enabled: z
        .boolean()
        .optional()
        .describe(
          'Whether users may sign in with passkeys; true when absent, unless the host of the issuer is an IP address',
        ),
      rp_id: z
        .string()
        .min(1)
        .optional()
        .describe(
          "The relying party ID of passkeys: the issuer's host when absent, or a parent domain of it. Passkeys of another one stop working",
        ),
    })
    .prefault({}),
  second_factor: z
    .enum(['off', 'optional', 'required'])
    .default('off')
    .describe(
      'optional: users may add an authenticator app, and their password alone no longer signs them in. required: each user adds a passkey or an authenticator app at the next sign-in',
    ),
  password: passwordSchema.prefault({}),
  enrolment: z
    .enum(['self', 'invited'])
    .optional()
    .describe(
      'Who adds the first passkey or authenticator app of an account. self, when absent: the user. invited: the user, with a link of an operator (`user recovery-link`)',
    ),
  remember_device: z
    .int({ error: DAYS })
    .min(0, { error: DAYS })
    .max(90, { error: DAYS })
    .optional()
    .describe(
      'For how many days a browser leaves out the second step that its user has turned on, after one with the box *Do not ask on this device*: 0 to 90; 0 when absent',
    ),
  mail: mailSchema,
  ...addressKeys,
  email_codes: emailCodesSchema,
  sign_in_with: signInWithSchema,
  recovery: recoverySchema,
  ...signUpKeys,
  terms: termsSchema,
  access: accessSchema,
  account_deletion: accountDeletionSchema,
  upstreams: upstreamsSchema,
})

/** As `createIdentity` takes them: without the keys that are absent. */
export const identitySettings = ({
  passkeys,
  second_factor,
  password,
  enrolment,
  remember_device,
}: z.output<typeof identitySchema>): IdentitySettings => ({
  passkeys: given(passkeys),
  second_factor,
  password: given({ enabled: password.enabled }),
  ...given({ enrolment, remember_device }),
})

/** What does not fit the issuer. @param base The path of the realm in the file. */
export const identityFaults = (settings: IdentitySettings, issuer: string, base: string): ConfigFault[] =>
  settingsFaults({ issuer }, settings).map(({ path, message }) => ({
    path: `${base}identity.${path}`,
    message,
  }))
