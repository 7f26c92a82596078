/** createUpstreams: what the option `upstreams` of createIdentity takes. */

import { randomBytes } from 'node:crypto'
import { ConfigError, type ConfigFault } from '@ostiary/core'
import type { UpstreamRefused, Upstreams } from '@ostiary/identity'
import type { UpstreamFetch } from './protocol/limited-fetch.js'
import { protocolOf } from './protocol/protocol-of.js'
import type { Protocol } from './protocol/trip.js'
import { UpstreamRefusal } from './refusal.js'
import { decide } from './rules/decide.js'
import { domainOf } from './rules/domains.js'
import { type UpstreamSettings, upstreamFaults } from './settings.js'
import { textsOf } from './texts.js'

/** The upstreams of a realm, by the id that is in their redirect URI: at most 32 characters of `a-z`, `0-9` and `-`. */
export type RealmUpstreams = Readonly<Record<string, UpstreamSettings>>

/** The options of `createUpstreams`. */
export interface UpstreamsOptions {
  /** The upstreams of each realm, by its id. A realm that is absent has none. */
  realms: Readonly<Record<string, RealmUpstreams>>
  /** Sends the requests to upstreams; the runtime's `fetch` when absent. */
  fetch?: UpstreamFetch
  /** The time in epoch seconds; the system's clock when absent. */
  now?: () => number
}

/**
 * Lets users sign in at other providers.
 * @throws ConfigError that names every fault of the settings.
 *
 * @example
 * ```ts
 * import { createUpstreams } from '@ostiary/upstream'
 *
 * const github = {
 *   type: 'github',
 *   client_id: process.env.GITHUB_CLIENT_ID ?? '',
 *   client_secret: process.env.GITHUB_CLIENT_SECRET ?? '',
 *   name: 'GitHub',
 * } as const
 * // The option `upstreams` of createIdentity. The redirect URI is <issuer>/login/callback/github.
 * export const upstreams = createUpstreams({ realms: { default: { github } } })
 * ```
 */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { realms, fetch: send = (url, init) => fetch(url, init) } = options
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const faults = Object.entries(realms).flatMap(([realm, upstreams]) => faultsOf(realm, upstreams))
  if (faults.length > 0) throw new ConfigError(faults)
  const protocols = new Map<UpstreamSettings, Protocol>()
  const upstreamsOf = (realm: string): RealmUpstreams =>
    Object.hasOwn(realms, realm) ? (realms[realm] ?? {}) : {}
  function find(realm: string, id: string): { settings: UpstreamSettings; protocol: Protocol } {
    const upstreams = upstreamsOf(realm)
    const settings = Object.hasOwn(upstreams, id) ? upstreams[id] : undefined
    if (settings === undefined) throw new UpstreamRefusal('state_unknown')
    const protocol = protocols.get(settings) ?? protocolOf(settings, { fetch: send, now })
    protocols.set(settings, protocol)
    return { settings, protocol }
  }

  return {
    of: (realm) => Object.entries(upstreamsOf(realm)).map(([id, { name }]) => ({ id, name })),
    leadsTo(realm, username) {
      const domain = domainOf(username.trim())
      const found = Object.entries(upstreamsOf(realm)).find(
        ([, { domains = [] }]) => domain !== null && domains.includes(domain),
      )
      return found?.[0] ?? null
    },
    begin: ({ realm, id, redirect_uri, login_hint, fresh }) =>
      orRefused(async () => {
        const secrets = { state: newSecret(), nonce: newSecret(), code_verifier: newSecret() }
        const { protocol } = find(realm.id, id)
        const location = await protocol.authorizationUrl({ redirect_uri, ...secrets }, { login_hint, fresh })
        return { location, secrets }
      }),
    finish: (arrival) =>
      orRefused(async () => {
        const { realm, id, redirect_uri, secrets, params } = arrival
        const { settings, protocol } = find(realm.id, id)
        const answer = await protocol.answer({ redirect_uri, ...secrets }, params)
        return decide({ settings, answer, arrival })
      }),
    texts: textsOf,
  }
}

/** 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('base64url')

async function orRefused<Answer>(run: () => Promise<Answer>): Promise<Answer | UpstreamRefused> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UpstreamRefusal) return { reason: error.reason, sub: null }
    throw error
  }
}

/** Paths, with the realm first. */
function faultsOf(realm: string, upstreams: RealmUpstreams): ConfigFault[] {
  return Object.entries(upstreams).flatMap(([id, settings]) => {
    const base = `realms.${realm}.${id}`
    if (!isUpstreamId(id))
      return [{ path: base, message: 'the id is at most 32 characters of a-z, 0-9 and "-"' }]
    return upstreamFaults(settings).map(({ path, message }) => ({ path: `${base}.${path}`, message }))
  })
}

const isUpstreamId = (id: string): boolean => id.length <= 32 && /^[a-z\d-]+$/.test(id)
