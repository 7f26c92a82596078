/** The `log.*` keys. */

import * as z from 'zod'
import { ADDRESS_FORMS, type AddressForm } from '../log/addresses.js'

export const logSchema = z.strictObject({
  addresses: z
    .enum(ADDRESS_FORMS)
    .default('truncated')
    .describe(
      'How addresses of clients are logged: full, truncated (IPv4 to its /24, IPv6 to its /48), or none',
    ),
})

export interface LogSettings {
  addresses: AddressForm
}
