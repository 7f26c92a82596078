/** Settings of clients that no operator describes, such as MCP clients: valid, and probably not what the operator wants. */

import type { OidcSettings } from '@ostiary/core'
import type { Finding } from './finding.js'
import { type RealmSettings, type Remark, realmNotes } from './realm-settings.js'

/** What programs on the user's computer use, such as Claude Code (RFC 8252 §7.3). */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1']
/** Schemes of MCP clients that register themselves. */
const CLIENT_SCHEMES = ['cursor', 'claude', 'vscode']

/** @returns Each remark once, with the realms that it is about. */
export const checkMcpClients = (realms: readonly RealmSettings[]): Finding[] => realmNotes(realms, remarks)

const remarks = (settings: OidcSettings): Remark[] => [
  ...documentRemarks(settings),
  ...redirectRemarks(settings),
  ...(settings.preset === 'mcp' ? presetRemarks(settings) : []),
]

function documentRemarks({ clients }: OidcSettings): Remark[] {
  const { enabled, allowed_hosts } = clients.metadata_documents
  const found: Remark[] = []
  const domains = clients.registration.allowed_redirect_domains
  if (!enabled || domains.includes('*')) return found
  const excluded = allowed_hosts.filter((host) => host !== '*' && !domains.some(isAt(host)))
  if (excluded.length > 0)
    found.push({
      message: `${excluded.join(', ')} in oidc.clients.metadata_documents.allowed_hosts: a client there is refused if it redirects to its own host, which the allowed redirect domains do not have`,
      advice: 'Add the host to these domains, unless its clients redirect to this computer alone.',
    })
  return found
}

/** Whether a domain is the host or below it: clients at cursor.com redirect to www.cursor.com. @param pattern May begin with `*.`. */
const isAt =
  (pattern: string) =>
  (domain: string): boolean => {
    const host = pattern.startsWith('*.') ? pattern.slice(2) : pattern
    return `.${domain.toLowerCase()}`.endsWith(`.${host}`)
  }

function redirectRemarks({ clients: { registration, metadata_documents } }: OidcSettings): Remark[] {
  const domains = registration.allowed_redirect_domains
  if (!(registration.enabled || metadata_documents.enabled) || domains.includes('*')) return []
  const missing = LOOPBACK_HOSTS.filter((host) => !domains.includes(host))
  if (missing.length === 0) return []
  return [
    {
      message: `oidc.clients.registration.allowed_redirect_domains lacks ${missing.join(' and ')}: programs on the user's computer, such as Claude Code, are refused`,
      advice: 'Add these hosts, unless only clients on web servers may connect.',
    },
  ]
}

const REMOVE = 'Remove the key, unless you want this.'

function presetRemarks({ clients, tokens }: OidcSettings): Remark[] {
  const { registration, metadata_documents, private_key_jwt } = clients
  const schemes = CLIENT_SCHEMES.filter((scheme) => !registration.allowed_redirect_schemes.includes(scheme))
  const rows: [applies: boolean, key: string, effect: string][] = [
    [
      !metadata_documents.enabled,
      'oidc.clients.metadata_documents.enabled',
      'every MCP client has to register itself',
    ],
    [
      !registration.enabled,
      'oidc.clients.registration.enabled',
      'MCP clients that publish no metadata document cannot connect',
    ],
    [
      registration.enabled && !registration.reuse,
      'oidc.clients.registration.reuse',
      'each installation of an MCP client, and with some each start, is one more client',
    ],
    [
      metadata_documents.enabled && !private_key_jwt,
      'oidc.clients.private_key_jwt',
      'clients that sign assertions, such as ChatGPT, are refused',
    ],
    [
      registration.enabled && schemes.length > 0,
      'oidc.clients.registration.allowed_redirect_schemes',
      `it lacks ${schemes.join(', ')}, and these clients are refused`,
    ],
    [
      tokens.refresh_token_grace === 0,
      'oidc.tokens.refresh_token_grace',
      'clients whose processes share a refresh token are signed out',
    ],
  ]
  return rows
    .filter(([applies]) => applies)
    .map(([, key, effect]) => ({
      message: `${key} differs from oidc.preset "mcp": ${effect}`,
      advice: REMOVE,
    }))
}
