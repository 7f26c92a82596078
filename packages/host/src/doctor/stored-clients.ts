/** Stored clients that the settings of their realm refuse, or whose fields have no effect there. */

import { type Client, type ProfileObstacle, profileObstacles, type Storage } from '@ostiary/core'
import type { HostConfig } from '../config/host-config.js'
import { type Finding, note } from './finding.js'
import { type RealmSettings, settingsOfRealms } from './realm-settings.js'

const PAGE = 500
/** Of one realm: about a second for a database. */
const MAX_CLIENTS = 20_000
const MAX_CLIENTS_NAMED = 5

type Problem = ProfileObstacle | 'unlisted_algorithm' | 'dpop_off' | 'par_off'

const TEXTS: Readonly<Record<Problem, { what: string; advice: string }>> = {
  public_client: {
    what: 'oidc.profile refuses public clients',
    advice:
      'Give each keys (client update ID --jwks-uri URL, or --jwks-file PATH), or move it to another realm.',
  },
  secret: {
    what: 'oidc.profile refuses clients with a secret',
    advice: 'Give each keys: client update ID --jwks-uri URL, or --jwks-file PATH.',
  },
  unusable_keys: {
    what: 'oidc.profile refuses clients whose keys are for RS256 alone',
    advice: 'Give each a key for ES256, PS256 or EdDSA: client update ID --jwks-file PATH.',
  },
  http_redirect_uri: {
    what: 'oidc.profile refuses http redirect URIs except those of the loopback',
    advice: 'Replace it by an https one: client update ID --redirect-uri URI.',
  },
  optional_pkce: {
    what: 'oidc.profile requires PKCE, which clients were allowed to leave out',
    advice:
      'Requests without it are refused. See that the clients send it, and run client update ID --require-pkce true.',
  },
  unlisted_algorithm: {
    what: 'id_token_signed_response_alg is not in oidc.keys.algorithms',
    advice:
      'Their ID tokens have the usual algorithm, which they may refuse: list theirs, or change it with client update ID --id-token-signed-response-alg.',
  },
  dpop_off: {
    what: 'dpop_bound_access_tokens has no effect while oidc.dpop is off',
    advice: 'Their tokens are bearer tokens. Set oidc.dpop to "on".',
  },
  par_off: {
    what: 'require_pushed_authorization_requests has no effect while oidc.par is off',
    advice: 'Set oidc.par to "allowed".',
  },
}

/** @returns A note for each kind of problem in each realm. */
export async function checkStoredClients(config: HostConfig, storage: Storage): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const realm of await settingsOfRealms(config)) findings.push(...(await checkRealm(realm, storage)))
  return findings
}

async function checkRealm(rules: RealmSettings, storage: Storage): Promise<Finding[]> {
  const { realm } = rules
  const found = new Map<Problem, string[]>()
  for await (const client of clientsOf(storage, realm))
    for (const problem of problemsOf(rules, client))
      found.set(problem, [...(found.get(problem) ?? []), client.client_id])
  return [...found].map(([problem, ids]) => {
    const { what, advice } = TEXTS[problem]
    return note('clients', `in realm ${realm}: ${what}: ${listed(ids)}`, advice)
  })
}

async function* clientsOf(storage: Storage, realm: string): AsyncGenerator<Client> {
  const { clients } = storage(realm)
  let after: string | undefined
  for (let read = 0; read < MAX_CLIENTS; read += PAGE) {
    const page = await clients.list({ limit: PAGE, ...(after !== undefined && { after }) })
    yield* page
    after = page.at(-1)?.client_id
    if (page.length < PAGE) return
  }
}

function problemsOf({ settings, policy }: RealmSettings, client: Client): Problem[] {
  if (client.revoked_at !== null) return []
  const { dpop_bound_access_tokens: bound, require_pushed_authorization_requests: pushes } = client
  const { id_token_signed_response_alg: alg } = client
  const is_unlisted = alg !== null && !settings.keys.algorithms.includes(alg)
  return [
    ...profileObstacles(policy, client),
    ...(is_unlisted ? (['unlisted_algorithm'] as const) : []),
    ...(bound === true && policy.proofs === null ? (['dpop_off'] as const) : []),
    ...(pushes === true && policy.pushed === 'off' ? (['par_off'] as const) : []),
  ]
}

function listed(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_CLIENTS_NAMED).join(', ')
  const more = ids.length - MAX_CLIENTS_NAMED
  return more > 0 ? `${named} and ${more} more` : named
}
