/** The `login.*` keys: how many failed sign-ins are allowed. */

import { DEFAULT_LOGIN_LIMITS } from '@ostiary/identity'
import * as z from 'zod'

const count = z.number({ error: 'give a whole number' }).int()

export const loginSchema = z.strictObject({
  failures: count
    .min(1)
    .max(1_000_000)
    .default(DEFAULT_LOGIN_LIMITS.failures)
    .describe(
      'Wrong passwords in a window for one account: from one client address (IPv6: a /64), from one browser that has signed in to it, and in one session; more get 429. From one address for all accounts 5 times as many are allowed, from one IPv6 /48 20 times; for one account from all addresses 10 times, then only browsers that have signed in to it may try',
    ),
  window: count
    .min(60)
    .max(86_400)
    .default(DEFAULT_LOGIN_LIMITS.window)
    .describe('Length of a window in seconds. Windows begin at multiples of it'),
})
