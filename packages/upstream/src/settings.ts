/** The settings of an upstream, and what is wrong with them. */

import { type ConfigFault, isLoopbackIssuer } from '@ostiary/core'
import { hasManyTenants, isApple } from './known.js'
import { keyAlgorithm } from './private-key.js'

/** Another provider at which users of a realm sign in. */
export interface UpstreamSettings {
  /** `oidc`: an OpenID provider, which is found by its `issuer`. `github`: GitHub, which is none. */
  type: 'oidc' | 'github'
  /** Exactly as its discovery document and its ID tokens have it. */
  issuer?: string
  client_id: string
  /** Either this or `private_key`. */
  client_secret?: string
  /** PKCS #8 as PEM. The server authenticates with a JWT that it signs (`private_key_jwt`); at Apple, it is the client secret. */
  private_key?: string
  /** The `kid` of the private key at the upstream. Apple requires it. */
  key_id?: string
  /** Apple's team, with the private key. */
  team_id?: string
  /** On the button: "Sign in with <name>". */
  name: string
  /** Beside `openid`; `profile` and `email` when absent. */
  scopes?: readonly string[]
  /** Who may sign up: users whose verified address has one of these domains. A name that is typed with one of them leads to the upstream. */
  domains?: readonly string[]
  /** For an issuer of Microsoft with many tenants: their ids, or `*` for all. */
  tenants?: readonly string[]
  /** Whether a user who is seen for the first time gets an account; false when absent. */
  signup?: boolean
  /**
   * How an account that exists gets a link. `signed_in` when absent: on its account page. `verified_email`: also at the sign-in, by an address
   * of `authoritative_domains` that the upstream and this server have verified.
   */
  link?: 'signed_in' | 'verified_email'
  /** The domains whose addresses the upstream itself hands out. */
  authoritative_domains?: readonly string[]
  /** Whether users whose name or address has one of `domains` have no password of this server; false when absent. */
  only?: boolean
  /** Whether the user gives a second factor of this server too; false when absent. */
  require_second_factor?: boolean
  /** The groups of this server that follow a claim of the upstream, at each sign-in. Other groups stay. */
  groups?: { claim: string; map: Readonly<Record<string, string>> }
}

/** What is wrong with the settings: paths below the upstream's id, and sentences that say what to do. */
export function upstreamFaults(settings: UpstreamSettings): ConfigFault[] {
  const { type, issuer, link, authoritative_domains = [], signup, domains = [] } = settings
  const faults: ConfigFault[] = []
  const fault = (path: string, message: string) => void faults.push({ path, message })
  if (type === 'github' && issuer !== undefined)
    fault('issuer', 'type "github" has none: remove issuer, or set type to "oidc"')
  if (type === 'oidc') faults.push(...issuerFaults(issuer))
  faults.push(...credentialFaults(settings), ...tenantFaults(settings))
  if (link === 'verified_email' && authoritative_domains.length === 0)
    fault(
      'authoritative_domains',
      'link "verified_email" needs them: list the domains whose addresses the upstream itself hands out, or remove link',
    )
  if (link !== 'verified_email' && !signup && authoritative_domains.length > 0)
    fault(
      'authoritative_domains',
      'they are for link "verified_email" and for signup: set one of the two, or remove authoritative_domains',
    )
  if (settings.only && domains.length === 0)
    fault('only', 'it is about the users of domains: list them, or remove only')
  for (const [path, list] of Object.entries({ domains, authoritative_domains }))
    for (const domain of list)
      if (!isDomain(domain))
        fault(path, `${JSON.stringify(domain)} is no domain: give it as example.com, in lower case`)
  return faults
}

function issuerFaults(issuer: string | undefined): ConfigFault[] {
  const path = 'issuer'
  if (issuer === undefined)
    return [
      { path, message: 'missing; give the issuer of the provider, exactly as its discovery document has it' },
    ]
  if (!URL.canParse(issuer)) return [{ path, message: 'give a URL, such as https://accounts.google.com' }]
  const { protocol, search, hash } = new URL(issuer)
  if (protocol !== 'https:' && !isLoopbackIssuer(issuer))
    return [{ path, message: 'give a URL with https: plain http is accepted on this machine alone' }]
  return search === '' && hash === '' ? [] : [{ path, message: 'give a URL without a query and a fragment' }]
}

function credentialFaults({
  type,
  issuer = '',
  client_secret,
  private_key,
  key_id,
  team_id,
}: UpstreamSettings): ConfigFault[] {
  if (client_secret === undefined && private_key === undefined)
    return [{ path: 'client_secret', message: 'missing; give client_secret or private_key' }]
  if (client_secret !== undefined && private_key !== undefined)
    return [{ path: 'private_key', message: 'client_secret is there too: remove one of the two' }]
  if (private_key === undefined) return []
  if (type === 'github')
    return [{ path: 'private_key', message: 'type "github" has none: give client_secret' }]
  const missing = isApple(issuer) && (key_id === undefined || team_id === undefined)
  if (missing)
    return [{ path: 'private_key', message: 'the private key of Apple needs key_id and team_id: give both' }]
  return keyAlgorithm(private_key) === null
    ? [{ path: 'private_key', message: 'give a key as PEM (BEGIN PRIVATE KEY): P-256, RSA or Ed25519' }]
    : []
}

function tenantFaults({ issuer = '', tenants }: UpstreamSettings): ConfigFault[] {
  const path = 'tenants'
  if (!hasManyTenants(issuer))
    return tenants === undefined
      ? []
      : [{ path, message: `issuer ${issuer} has one tenant: remove tenants, or give the issuer of many` }]
  if (tenants === undefined || tenants.length === 0)
    return [
      {
        path,
        message: `missing; issuer ${issuer} has many tenants: list the ids of yours, or ["*"] for all`,
      },
    ]
  const wrong = tenants.find((tenant) => tenant !== '*' && !isTenant(tenant))
  return wrong === undefined
    ? []
    : [
        {
          path,
          message: `${JSON.stringify(wrong)} is no tenant id: give it as 8-4-4-4-12 hexadecimal digits, in lower case`,
        },
      ]
}

export const isTenant = (id: string): boolean =>
  /^[\da-f-]+$/.test(id) &&
  id
    .split('-')
    .map(({ length }) => length)
    .join() === '8,4,4,4,12'

const isDomain = (domain: string): boolean => {
  const labels = domain.split('.')
  return (
    labels.length > 1 &&
    domain.length <= 253 &&
    labels.every((label) => label.length <= 63 && /^[a-z\d-]+$/.test(label))
  )
}
