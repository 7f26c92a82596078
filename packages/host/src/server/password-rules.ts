/** The rules of new passwords, as the configuration sets them. */

import type { PasswordRealm, PasswordRules } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { type HostRealms, identityOf } from '../storage/run-time-realms.js'

type RulesOf = (realm: PasswordRealm) => PasswordRules | null

/** The option of `createIdentity`; undefined where no realm has rules, and then nothing is loaded. */
export async function passwordRulesOf(
  config: HostConfig,
  realms: HostRealms | null = null,
): Promise<RulesOf | undefined> {
  const rules = await configuredRules(config)
  if (realms === null) return rules
  const configured = new Set(realmIds(config))
  return (realm) => (configured.has(realm.id) ? (rules?.(realm) ?? null) : realms.passwordRules(realm))
}

async function configuredRules({
  password_rules,
}: Pick<HostConfig, 'password_rules'>): Promise<RulesOf | undefined> {
  const all = Object.entries(password_rules ?? {})
  if (all.length === 0) return undefined
  const { passwordRules } = await import('@ostiary/password-rules')
  const rules = new Map(all.map(([id, settings]) => [id, passwordRules(settings)]))
  return (realm) => rules.get(realm.id)?.(realm) ?? null
}

/** The same for the passwords that the operator sets; null where the realm has no rules. */
export async function realmPasswordRules(
  config: HostConfig,
  id: string,
  realms: HostRealms | null = null,
): Promise<PasswordRules | null> {
  const rules = await passwordRulesOf(config, realms)
  return (
    rules?.({
      id,
      issuer: config.issuer,
      product: config.theme?.name ?? null,
      second_factor_required: identityOf(config, realms)(id).second_factor === 'required',
    }) ?? null
  )
}
