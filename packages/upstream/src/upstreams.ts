/** createUpstreams: one of the option `extensions` of createIdentity. */

import { randomBytes } from 'node:crypto'
import { type ConfigFault, refuseFaults } from '@ostiary/core'
import type { Extension, Links } from '@ostiary/identity'
import { isIssuerOf } from './known.js'
import { answerPath } from './pages/answer.js'
import { beginTrip } from './pages/flow.js'
import { linked } from './pages/linked.js'
import { act } from './pages/links.js'
import { pathStep } from './pages/paths.js'
import { buttons, proofs, section } from './pages/sections.js'
import type { UpstreamFetch } from './protocol/limited-fetch.js'
import { protocolOf } from './protocol/protocol-of.js'
import type { Protocol } from './protocol/trip.js'
import { UpstreamRefusal } from './refusal.js'
import { decide } from './rules/decide.js'
import { domainOf } from './rules/domains.js'
import type { UpstreamRefused } from './rules/outcome.js'
import { type UpstreamSettings, upstreamFaults } from './settings.js'
import type { Ways } from './ways.js'

/** The upstreams of a realm, by the id that is in their redirect URI: at most 32 characters of `a-z`, `0-9` and `-`. */
export type RealmUpstreams = Readonly<Record<string, UpstreamSettings>>

/** The options of `createUpstreams`. */
export interface UpstreamsOptions {
  /** The upstreams of each realm, by its id. A realm that is absent has none. */
  realms: Readonly<Record<string, RealmUpstreams>>
  /** The accounts there with which the users of each realm sign in, e.g. of `memoryUserStores()`. */
  links: Links
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
 * import { memoryUserStores } from '@ostiary/identity'
 * import { createUpstreams } from '@ostiary/upstream'
 *
 * const github = {
 *   type: 'github',
 *   client_id: process.env.GITHUB_CLIENT_ID ?? '',
 *   client_secret: process.env.GITHUB_CLIENT_SECRET ?? '',
 *   name: 'GitHub',
 * } as const
 * const { links } = memoryUserStores()
 * // One of the option `extensions` of createIdentity. The redirect URI is <issuer>/login/callback/github.
 * export const upstreams = createUpstreams({ realms: { default: { github } }, links })
 * ```
 */
export function createUpstreams(options: UpstreamsOptions): Extension {
  const ways = createWays(options)
  return {
    name: 'upstream',
    methods(realm, path) {
      const found = pathStep(path)
      return ways.list(realm).some(({ id }) => id === found?.id) ? (found?.methods ?? []) : []
    },
    answer: (c) => answerPath(c, ways),
    buttons: (c, fields) => buttons(c, ways, fields),
    begin(c, { username, return_to }) {
      const id = ways.leadsTo(c.realm.id, username)
      const purpose = { kind: 'sign_in', return_to } as const
      return id === null ? null : beginTrip(c, ways, { id, login_hint: username, purpose })
    },
    offers: (realm) => ways.list(realm).map(({ id, name }) => ({ way: id, name })),
    leadsTo: ways.leadsTo,
    replacesPassword: ways.replacesPassword,
    section: (c) => section(c, ways),
    linked: (c, user) => linked(c, ways, user),
    proofs: (c) => proofs(c, ways),
    act: (c, action, params) => act(c, ways, { action, params }),
  }
}

function createWays(options: UpstreamsOptions): Ways {
  const { realms, links, fetch: send = (url, init) => fetch(url, init) } = options
  const now = options.now ?? (() => Math.floor(Date.now() / 1000))
  const faults = Object.entries(realms).flatMap(([realm, upstreams]) => faultsOf(realm, upstreams))
  refuseFaults(faults)
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
    links,
    list: (realm) =>
      Object.entries(upstreamsOf(realm)).map(([id, settings]) => ({
        id,
        name: settings.name,
        owns: ({ upstream, issuer }) => upstream === id && isIssuerOf(settings, issuer),
        is_enough: !settings.require_second_factor,
      })),
    leadsTo(realm, username) {
      const domain = domainOf(username.trim())
      const found = Object.entries(upstreamsOf(realm)).find(
        ([, { domains = [] }]) => domain !== null && domains.includes(domain),
      )
      return found?.[0] ?? null
    },
    replacesPassword: (realm, { username, claims: { email } }) =>
      [username, typeof email === 'string' ? email : null].some((name) => {
        const domain = domainOf(name)
        return (
          domain !== null &&
          Object.values(upstreamsOf(realm)).some(({ only, domains = [] }) => only && domains.includes(domain))
        )
      }),
    begin: ({ realm, id, redirect_uri, login_hint, fresh }) =>
      orRefused(async () => {
        const secrets = { state: newSecret(), nonce: newSecret(), code_verifier: newSecret() }
        const { protocol } = find(realm, id)
        const location = await protocol.authorizationUrl({ redirect_uri, ...secrets }, { login_hint, fresh })
        return { location, secrets }
      }),
    finish: (arrival) =>
      orRefused(async () => {
        const { realm, id, redirect_uri, secrets, params } = arrival
        const { settings, protocol } = find(realm, id)
        const answer = await protocol.answer({ redirect_uri, ...secrets }, params)
        return decide({ settings, answer, arrival })
      }),
    ended: (realm, id, token) =>
      orRefused(async () => {
        const { ended } = find(realm, id).protocol
        if (ended === null) throw new UpstreamRefusal('bad_response')
        return ended(token)
      }),
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
