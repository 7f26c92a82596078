/** Reads `identity.upstreams`: the secrets from the variables that it names, and what is wrong with it. */

import type { ConfigFault } from '@ostiary/core'
import type { RealmUpstreams, UpstreamSettings } from '@ostiary/upstream'
import { type Environment, setting } from '../environment.js'
import { identityKeys } from '../realms/identity-keys.js'
import type { UpstreamKeys } from './upstream-settings.js'

interface IdentityKeys {
  upstreams?: Readonly<Record<string, UpstreamKeys>> | undefined
  passkeys: { enabled?: boolean | undefined }
  second_factor: 'off' | 'optional' | 'required'
}

interface RealmKeys {
  identity: IdentityKeys
}

interface UpstreamContext {
  env: Environment
  /** Takes the faults. */
  faults: ConfigFault[]
  /** False: no variable is read, and there are no upstreams. */
  entry_secrets: boolean
}

/** @returns By realm id, those that have some. */
export async function readUpstreams(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  { env, faults, entry_secrets }: UpstreamContext,
): Promise<Record<string, RealmUpstreams>> {
  const all = identityKeys(config).filter(({ keys }) => Object.keys(keys.upstreams ?? {}).length > 0)
  if (all.length === 0 || !entry_secrets) return {}
  const { upstreamFaults } = await import('@ostiary/upstream')
  const read: Record<string, RealmUpstreams> = {}
  for (const { id, path: base, keys } of all) {
    const upstreams: Record<string, UpstreamSettings> = {}
    for (const [name, upstream] of Object.entries(keys.upstreams ?? {})) {
      const path = `${base}.upstreams.${name}`
      const settings = settingsOf(upstream, env)
      upstreams[name] = settings
      const unset = unsetVariables(upstream, env)
      // Without its variable, the secret would be reported a second time.
      const others = unset.length > 0 ? [] : upstreamFaults(settings).map(asInFile)
      const found = [...unset, ...others, ...secondFactorFaults(upstream, { base, keys })]
      faults.push(...found.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })))
    }
    read[id] = upstreams
  }
  return read
}

const settingsOf = (
  { client_secret_env, private_key_env, ...rest }: UpstreamKeys,
  env: Environment,
): UpstreamSettings =>
  present({
    ...rest,
    client_secret: client_secret_env && setting(env, client_secret_env),
    private_key: private_key_env && setting(env, private_key_env),
  }) as UpstreamSettings

const present = (keys: object): object =>
  Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined))

const unsetVariables = (
  { client_secret_env, private_key_env }: UpstreamKeys,
  env: Environment,
): ConfigFault[] =>
  Object.entries({ client_secret_env, private_key_env }).flatMap(([path, name]) =>
    name !== undefined && setting(env, name) === undefined
      ? [{ path, message: `the variable ${name} is not set: serve, doctor and config print need it` }]
      : [],
  )

/** The file has the names of variables in the place of secrets. */
function asInFile({ path, message }: ConfigFault): ConfigFault {
  const inFile = (text: string) => text.replace(/\b(client_secret|private_key)\b/g, '$1_env')
  return { path: inFile(path), message: inFile(message) }
}

const secondFactorFaults = (
  { require_second_factor }: UpstreamKeys,
  { base, keys: { second_factor, passkeys } }: { base: string; keys: IdentityKeys },
): ConfigFault[] =>
  require_second_factor && second_factor === 'off' && passkeys.enabled === false
    ? [
        {
          path: 'require_second_factor',
          message: `the realm has no second factor: set ${base}.second_factor to optional, enable ${base}.passkeys, or remove this key`,
        },
      ]
    : []
