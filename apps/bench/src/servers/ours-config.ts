/** The configuration of Ostiary's server, with the clients and users of every server here. */

import { CALLBACK, email, MACHINE, PASSWORD, SCOPE, username, WEB, WEB_REFRESH } from '../target.js'
import { realmId } from './realms.js'

/** Seals the keys of these servers only. */
export const SECRET = 'measured-measured-measured-measured-measured'
export const RESOURCE = 'api'

export interface OursOptions {
  port: number
  people: number
  /** The number of realms, routed by path; without it there is a single realm. */
  realms?: number | undefined
  /** Seconds that sign-ins, grants and tokens last. The product's defaults when absent. */
  lifetime?: number | undefined
  /** ES256 signs the access tokens for the API, and DPoP is on. */
  es256?: boolean | undefined
  /** The realms are those of the database. */
  made_realms?: boolean | undefined
  /** What happens is kept in the audit. */
  audit?: boolean | undefined
}

const clients = [
  { ...MACHINE, redirect_uris: [CALLBACK], grant_types: ['client_credentials'] },
  // Trusted, as those of the peers are: no consent is asked for.
  { client_id: WEB, redirect_uris: [CALLBACK], grant_types: ['authorization_code'], consent_required: false },
  {
    client_id: WEB_REFRESH,
    redirect_uris: [CALLBACK],
    consent_required: false,
    grant_types: ['authorization_code', 'refresh_token'],
  },
]

const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    username: username(i),
    password: PASSWORD,
    name: `Person ${i}`,
    email: email(i),
    email_verified: true,
  }))

const lifetimes = (seconds: number) => ({
  tokens: { access_token: seconds, id_token: seconds, client_credentials: seconds, refresh_token: seconds },
  session: { absolute_lifetime: seconds },
})

/** ostiary.config.json */
export function oursConfig({
  port,
  people: count,
  realms: configured,
  lifetime,
  es256,
  audit,
  made_realms,
}: OursOptions): unknown {
  const realms = made_realms ? 0 : configured
  const ids = Array.from({ length: realms ?? 0 }, (_, i) => realmId(i))
  return {
    app: { url: `http://127.0.0.1:${port}` },
    ...(audit && { audit: { enabled: true } }),
    ...(made_realms && { realms_at_run_time: true }),
    oidc: {
      resources: { [RESOURCE]: { scopes: [SCOPE], ...(es256 && { token_signing_alg: 'ES256' }) } },
      ...(es256 && { keys: { algorithms: ['RS256', 'ES256'] }, dpop: 'on' }),
      clients: { registration: { enabled: true } },
      // One address registers thousands of clients here. The limits are counted but never reached.
      throttle: { register: 1_000_000_000, registrations_per_day: 1_000_000_000 },
      ...(lifetime !== undefined && lifetimes(lifetime)),
      ...(realms !== undefined && {
        routes: { realms: 'path' },
        realms: Object.fromEntries(ids.map((id) => [id, {}])),
      }),
    },
    ...(realms === undefined && { clients, users: people(count) }),
    ...(realms !== undefined && {
      realms: Object.fromEntries(ids.map((id) => [id, { clients, users: people(1) }])),
    }),
    // Users sign in from many addresses, so the limits on attempts can stay as they are.
    trusted_proxies: ['127.0.0.1'],
  }
}
