/** Keys of former versions, with what to write instead. No other file knows their names. */

import type { ConfigFault } from './config-error.js'
import { isGroup } from './merge.js'

const LOOPBACK =
  'with an oidc.issuer on this computer, such as http://localhost:3000, clients may be on it too; otherwise never'

/** By the path of the key. `*` is the name of any entry of a map. */
export const RETIRED_KEYS: Readonly<Record<string, string>> = {
  'oidc.resources.*.introspection_clients': 'use clients of the resource',
  'oidc.dpop.enabled': 'set oidc.dpop to "on" or "off"',
  'oidc.dpop.nonce': 'set oidc.dpop to "nonce" where proofs must have a nonce, and to "on" where not',
  'oidc.dpop.max_age': 'it is always 300; the value of oidc.dpop is "off", "on" or "nonce"',
  'oidc.dpop.max_future': 'it is always 60; the value of oidc.dpop is "off", "on" or "nonce"',
  'oidc.par.enabled': 'set oidc.par to "allowed" or "off"',
  'oidc.par.required': 'set oidc.par to "required", or to "allowed" where requests need not be pushed',
  'oidc.par.lifetime': 'it is always 90; the value of oidc.par is "off", "allowed" or "required"',
  'oidc.client_assertion.audience':
    'oidc.profile "fapi2" accepts the issuer alone; otherwise the URL of the endpoint is accepted too',
  'oidc.tokens.logout_token': 'it is always 120',
  'oidc.tokens.rotate_confidential':
    'oidc.profile "fapi2" keeps refresh tokens of confidential clients; otherwise they are replaced with each use',
  'oidc.clients.metadata_documents.allowed_redirect_schemes':
    'set oidc.clients.registration.allowed_redirect_schemes, which documents follow too',
  'oidc.clients.metadata_documents.allowed_redirect_domains':
    'set oidc.clients.registration.allowed_redirect_domains, which documents follow too',
  'oidc.clients.metadata_documents.allow_loopback': LOOPBACK,
  'oidc.backchannel.allow_insecure': LOOPBACK,
  'oidc.acr.required': 'set oidc.acr to "require", or to "off"',
  'oidc.acr.in_access_tokens': 'set oidc.acr to "tell", or to "off"; "require" tells too',
  'oidc.tokens.client_access_token_max':
    'it is always the longest of oidc.tokens.access_token, oidc.tokens.id_token and oidc.tokens.client_credentials',
}

/** Keys `login.*` of a server, with the value that `login.failures` needs for the same limit. */
export const RETIRED_LOGIN_KEYS: Readonly<Record<string, string>> = {
  'login.failures_per_account_and_address': 'the same number',
  'login.failures_per_device': 'the same number',
  'login.failures_per_address': 'a fifth of it',
  'login.failures_per_account': 'a tenth of it',
  'login.failures_per_site': 'a twentieth of it',
}

const MAPS: ReadonlySet<string> = new Set(['oidc.resources'])

/** The message about a retired key; null when the key is no such one. @param path As in the table. */
export const retiredKeyMessage = (path: string): string | null =>
  Object.hasOwn(RETIRED_KEYS, path) ? `this key no longer exists: ${RETIRED_KEYS[path]}` : null

interface Remaining {
  /** The configuration without its retired keys, and without the groups that had no others. */
  config: unknown
  faults: ConfigFault[]
}

/**
 * Finds and removes the retired keys, so that the others can be checked too.
 * @param group The path of the configuration in the table.
 * @param path Its path in messages, e.g. `oidc.realms.acme`.
 */
export function withoutRetiredKeys(config: unknown, group: string, path = group): Remaining {
  if (!isGroup(config)) return { config, faults: [] }
  const faults: ConfigFault[] = []
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(config)) {
    const key = `${group}.${MAPS.has(group) ? '*' : name}`
    const message = retiredKeyMessage(key)
    if (message !== null) {
      faults.push({ path: `${path}.${name}`, message })
      continue
    }
    const inner = withoutRetiredKeys(value, key, `${path}.${name}`)
    faults.push(...inner.faults)
    if (inner.faults.length === 0 || !isEmpty(inner.config)) entries.push([name, inner.config])
  }
  return { config: Object.fromEntries(entries), faults }
}

const isEmpty = (value: unknown): boolean => isGroup(value) && Object.keys(value).length === 0
