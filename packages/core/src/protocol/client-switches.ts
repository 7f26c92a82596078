/**
 * Metadata of a client that counts only while its switch is on: OpenID Connect Registration §2, RFC 9449 §5.2, RFC 9126 §6.
 * While a switch is off, what a client sends of it is ignored, and an operator who sets it is told which key to set.
 */

import type { OidcSettings } from '../config.js'
import type { Client, SigningAlgorithm } from '../records.js'
import { algorithmFault } from './algorithm-fault.js'

export type SwitchedFields = Pick<
  Client,
  'id_token_signed_response_alg' | 'dpop_bound_access_tokens' | 'require_pushed_authorization_requests'
>

type Switches = Pick<OidcSettings, 'keys' | 'dpop' | 'par'>

/** Null: the field of the client is absent, or its switch is off. A text: what is wrong with it, as a clause. */
type Sent<Value> = { value: Value | null } | { fault: string }

/** What a client says about itself. The field that is wrong has a fault. */
export type SentFields = { [Field in keyof SwitchedFields]: Sent<NonNullable<SwitchedFields[Field]>> }

/** @param members Of a registration or a metadata document, without those that are null. */
export function sentFields(members: ReadonlyMap<string, unknown>, { keys, dpop, par }: Switches): SentFields {
  const flag = (name: keyof SwitchedFields, is_on: boolean): Sent<boolean> => {
    const value = is_on ? (members.get(name) ?? null) : null
    return value === null || typeof value === 'boolean' ? { value } : { fault: 'must be true or false' }
  }
  return {
    id_token_signed_response_alg: sentAlgorithm(members.get('id_token_signed_response_alg'), keys),
    dpop_bound_access_tokens: flag('dpop_bound_access_tokens', dpop.enabled),
    require_pushed_authorization_requests: flag('require_pushed_authorization_requests', par.enabled),
  }
}

/** With RS256 alone there is nothing to choose. */
function sentAlgorithm(sent: unknown, { algorithms }: OidcSettings['keys']): Sent<SigningAlgorithm> {
  if (sent === undefined || algorithms.every((alg) => alg === 'RS256')) return { value: null }
  const value = algorithms.find((alg) => alg === sent)
  return value === undefined ? { fault: `must be one of ${algorithms.join(', ')}` } : { value }
}

/** What an operator has set although it is off, by field. */
export function switchFaults(
  { keys, dpop, par }: Switches,
  fields: { [Field in keyof SwitchedFields]?: SwitchedFields[Field] | undefined },
): [field: keyof SwitchedFields, fault: string][] {
  const faults: [keyof SwitchedFields, string][] = []
  const algorithm = algorithmFault(keys, fields.id_token_signed_response_alg ?? undefined)
  if (algorithm !== null) faults.push(['id_token_signed_response_alg', algorithm])
  if (fields.dpop_bound_access_tokens && !dpop.enabled)
    faults.push(['dpop_bound_access_tokens', 'DPoP is off: set oidc.dpop.enabled'])
  if (fields.require_pushed_authorization_requests && !par.enabled)
    faults.push([
      'require_pushed_authorization_requests',
      'pushed authorization requests are off: set oidc.par.enabled',
    ])
  return faults
}
