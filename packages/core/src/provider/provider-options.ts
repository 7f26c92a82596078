/** Checks the options of createProvider(): one ConfigError with all faults. */

import { ConfigError, type ConfigFault, refuseFaults } from '../config/config-error.js'
import {
  type OptionRule,
  objectFault,
  optional,
  optionalFunction,
  optionFaults,
  requiredFunction,
  secretRule,
} from '../config/option-rules.js'
import { parseConfig } from '../config/parse.js'
import { missingFetchDocument } from '../features/client-documents/feature.js'
import { FEATURE_PAGES } from '../features/declarations.js'
import type { Realm } from '../realm/realm.js'
import { type RealmDirectory, realmDirectory } from '../realm/realms.js'
import type { ProviderOptions } from './provider-interface.js'

const RULES: Record<keyof ProviderOptions, OptionRule> = {
  oidc: optional(objectFault),
  app_url: optional((value) => (typeof value === 'string' ? null : 'give the issuer as a string')),
  secret: { ...secretRule, source: 'secret (OIDC_SECRET)' },
  previous_secret: optional(secretRule.fault),
  storage: requiredFunction(
    'missing; give memoryStorage() of @ostiary/core/memory to try it out, or the adapter of a database',
  ),
  accounts: {
    missing: 'missing; give { find: async (sub) => … }, which returns the user with this sub, or null',
    fault: objectFault,
    members: {
      find: requiredFunction('missing; give a function that returns the user with this sub, or null'),
    },
  },
  interactions: {
    missing: 'missing; give { login, consent }, the functions that show your pages',
    fault: objectFault,
    members: {
      login: requiredFunction(
        'missing; give a function that returns the sign-in page, or a redirect to it with return_to',
      ),
      consent: optionalFunction,
      logout: optionalFunction,
      signedOut: optionalFunction,
      ...Object.fromEntries(FEATURE_PAGES.map((page) => [page, optionalFunction])),
      refused: optionalFunction,
      reachableAcr: optionalFunction,
      reachableAcrOf: optionalFunction,
      signsUp: optionalFunction,
      error: optionalFunction,
    },
  },
  claims: optionalFunction,
  on_event: optionalFunction,
  on_flow: optionalFunction,
  now: optionalFunction,
  unavailable: optionalFunction,
  client_cache: optional((value) =>
    Number.isInteger(value) && Number(value) >= 0 ? null : 'give a number of whole seconds, or 0',
  ),
  signer: optionalFunction,
  hashes: {
    ...optional(objectFault),
    members: {
      sha256: requiredFunction('missing; give a function that returns the SHA-256 of a text in base64url'),
      hmac: requiredFunction(
        'missing; give a function that returns the HMAC-SHA-256 of a text with a key, in base64url',
      ),
    },
  },
  random: optionalFunction,
  exchange_policy: optionalFunction,
  access_policy: optionalFunction,
  fetch: optionalFunction,
  fetch_of_operator: optionalFunction,
  fetch_document: optionalFunction,
  guards: optional(
    (value) =>
      objectFault(value) ??
      (Object.values(value as object).every((guard) => typeof guard === 'function')
        ? null
        : 'give a function for each name: it gets a realm and returns a guard'),
  ),
  realms: optional((value) =>
    typeof value === 'function'
      ? null
      : 'give a function that looks up a realm; a map of realms is oidc.realms',
  ),
}

/**
 * Checks the options, and returns the realms that they describe.
 * @throws ConfigError with every fault.
 */
export function checkedRealms(options: ProviderOptions, now: () => number): RealmDirectory {
  const faults = optionFaults(options, RULES)
  const is_readable = faults.every(({ path }) => path !== '' && path !== 'oidc' && path !== 'app_url')
  const read: ReadRealms = is_readable ? readRealms(options, now) : { faults: [] }
  if ('faults' in read) throw new ConfigError([...faults, ...read.faults])
  if (!options.fetch_document && read.realms.known().some(readsDocuments)) faults.push(missingFetchDocument)
  refuseFaults(faults)
  return read.realms
}

const readsDocuments = ({ settings }: Realm): boolean => settings.clients.metadata_documents.enabled

type ReadRealms = { realms: RealmDirectory } | { faults: readonly ConfigFault[] }

function readRealms({ oidc = {}, app_url, realms }: ProviderOptions, now: () => number): ReadRealms {
  const lookup = typeof realms === 'function' ? realms : undefined
  try {
    return { realms: realmDirectory(parseConfig(oidc, app_url), now, lookup) }
  } catch (error) {
    if (error instanceof ConfigError) return { faults: error.faults }
    throw error
  }
}
