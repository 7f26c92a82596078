/** The extensions of the sign-in that the configuration turns on. What it does not turn on is not loaded. */

import type { Extension, IdentityOptions } from '@ostiary/identity'
import type { HostConfig } from '../../config/host-config.js'
import type { HostStorage } from '../../storage/host-storage.js'
import { upstreamsOf } from './upstreams.js'

export interface ExtensionDependencies {
  storage: HostStorage
  /** Epoch seconds. */
  now: () => number
}

/** Each returns nothing where no realm has it. */
const EXTENSIONS: readonly ((
  config: HostConfig,
  dependencies: ExtensionDependencies,
) => Promise<Extension | null | undefined>)[] = [
  upstreamsOf,
  async ({ email_codes: realms }) =>
    realms && (await import('@ostiary/email-codes')).createEmailCodes({ realms }),
  async ({ addresses: realms }) => realms && (await import('@ostiary/addresses')).createAddresses({ realms }),
  applicationsOf,
  async ({ terms: realms }) => realms && (await import('@ostiary/terms')).createTerms({ realms }),
]

async function applicationsOf({ access = {} }: HostConfig, { storage }: ExtensionDependencies) {
  const realms = Object.keys(access).filter((id) => access[id]?.applications)
  if (realms.length === 0) return null
  const { createApplications } = await import('@ostiary/access-rules')
  return createApplications({ realms, clients: (realm) => storage.storage(realm).clients })
}

/** Undefined where users do not sign up: then nothing of it is loaded. */
export const signUpOf = async ({ sign_up: realms }: HostConfig): Promise<IdentityOptions['sign_up']> =>
  realms && (await import('@ostiary/sign-up')).createSignUp({ realms })

/** @param others Made already. @returns Undefined without any: then the sign-in has no such pages. */
export async function extensionsOf(
  config: HostConfig,
  dependencies: ExtensionDependencies,
  others: readonly Extension[],
): Promise<Extension[] | undefined> {
  const loaded = await Promise.all(EXTENSIONS.map((load) => load(config, dependencies)))
  const found = [...others, ...loaded.flatMap((extension) => extension ?? [])]
  return found.length > 0 ? found : undefined
}
