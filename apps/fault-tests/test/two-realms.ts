/** The two realms of the clients under load, and the expected counts. */

import { clients, QUICK_KEYS, signIn, users } from './client.ts'
import type { Site } from './load.ts'
import type { Provider } from './provider.ts'

const GRACE_SECONDS = 60

/** Two realms side by side: in `strict` a spent refresh token is reuse, in `lenient` it has a grace period. */
export const config = (origin: string) => ({
  app: { url: origin },
  oidc: {
    keys: QUICK_KEYS,
    routes: { realms: 'path' },
    realms: { strict: {}, lenient: { tokens: { refresh_token_grace: GRACE_SECONDS } } },
  },
  realms: { strict: { clients, users }, lenient: { clients, users } },
})

/** So many clients in each realm. */
export async function sites({ origin }: Provider, each: number): Promise<Site[]> {
  const made = ['strict', 'lenient'].map(async (realm) => {
    const issuer = `${origin}/realms/${realm}`
    const ann = await signIn(issuer)
    return Array.from({ length: each }, () => ({ issuer, ann, grace: realm === 'lenient' }))
  })
  return (await Promise.all(made)).flat()
}

export const NOTHING_TWICE = {
  replays_that_succeeded: 0,
  codes_redeemed_twice: 0,
  refresh_tokens_with_two_successors: 0,
}
