/** The extensions of the sign-in that the configuration turns on. What it does not turn on is not loaded. */

import type { Extension } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import type { HostStorage } from '../storage/host-storage.js'
import { upstreamsOf } from './upstreams.js'

export interface ExtensionDependencies {
  storage: HostStorage
  /** Epoch seconds. */
  now: () => number
}

/** Null where operators change addresses. */
async function addressesOf({ addresses: realms }: HostConfig): Promise<Extension | null> {
  if (realms === undefined) return null
  const { createAddresses } = await import('@ostiary/addresses')
  return createAddresses({ realms })
}
const emailCodesOf = async ({ email_codes: realms }: HostConfig): Promise<Extension | null> =>
  realms ? (await import('@ostiary/email-codes')).createEmailCodes({ realms }) : null

/** Each returns null where no realm has it. */
const EXTENSIONS: readonly ((
  config: HostConfig,
  dependencies: ExtensionDependencies,
) => Promise<Extension | null>)[] = [upstreamsOf, emailCodesOf, addressesOf, termsOf]

async function termsOf({ terms: realms }: HostConfig): Promise<Extension | null> {
  if (realms === undefined) return null
  const { createTerms } = await import('@ostiary/terms')
  return createTerms({ realms })
}

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
