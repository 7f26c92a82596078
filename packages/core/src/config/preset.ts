/** `oidc.preset`: keys that are set together. A key that the configuration gives wins. */

import { merge } from './merge.js'
import type { RealmConfig } from './realm-config.js'

/** What MCP clients need (Model Context Protocol, Authorization, 2026-07-28). */
const MCP: RealmConfig = {
  clients: {
    metadata_documents: { enabled: true },
    private_key_jwt: true,
    registration: {
      enabled: true,
      reuse: true,
      unused_lifetime: 86_400,
      allowed_redirect_schemes: ['cursor', 'claude', 'vscode'],
    },
  },
  // The SDKs for Go and Python ask for it only if it is advertised.
  scopes: { offline_access: { hidden: false } },
  // Some clients share one refresh token between processes.
  tokens: { refresh_token_grace: 30 },
}

const PRESETS: Readonly<Record<string, RealmConfig>> = { mcp: MCP }

/** The configuration with the keys of its preset. An unknown preset changes nothing: the schema refuses it. */
export function withPreset(config: RealmConfig): RealmConfig {
  const preset = PRESETS[config.preset ?? '']
  if (preset === undefined) return config
  const merged = merge(preset, config) as RealmConfig
  // A map is replaced as a whole: the preset's scopes are added to the given ones.
  return { ...merged, scopes: merge(preset.scopes, merged.scopes) as RealmConfig['scopes'] }
}
