/** The `login.*` keys: how many failed sign-ins are allowed. */

import { DEFAULT_LOGIN_LIMITS } from '@ostiary/identity'
import * as z from 'zod'

const count = (default_count: number) =>
  z.number({ error: 'give a whole number' }).int().min(1).max(1_000_000).default(default_count)

const { window, ...failures } = DEFAULT_LOGIN_LIMITS

export const loginSchema = z.strictObject({
  failures_per_account_and_address: count(failures.failures_per_account_and_address).describe(
    'Wrong passwords for one account from one client address (IPv6: a /64) in a window; more are answered with 429',
  ),
  failures_per_address: count(failures.failures_per_address).describe(
    'Wrong passwords from one client address (IPv6: a /64) in a window, for all accounts',
  ),
  failures_per_site: count(failures.failures_per_site).describe(
    'Wrong passwords from one IPv6 /48 in a window, for all accounts',
  ),
  failures_per_account: count(failures.failures_per_account).describe(
    'Wrong passwords for one account from all addresses in a window; then only browsers that have signed in to it before may try',
  ),
  failures_per_device: count(failures.failures_per_device).describe(
    'Wrong passwords for one account in a window from one browser that has signed in to it before, or in one session',
  ),
  window: z
    .number({ error: 'give a whole number' })
    .int()
    .min(60)
    .max(86_400)
    .default(window)
    .describe('Length of a window in seconds. Windows begin at multiples of it'),
})
