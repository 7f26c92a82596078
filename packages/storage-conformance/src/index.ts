/** Tests the rules that every storage adapter of Ostiary must follow, as a vitest suite. */

import type { Storage } from '@ostiary/core'
import { afterAll, beforeAll, describe } from 'vitest'
import { backgroundRules, noBackgroundRule } from './background.js'
import { clientChangeRules, clientDeletionRules } from './client-changes.js'
import { clientDocumentRules } from './client-documents.js'
import { clientRules } from './clients.js'
import { consentRules } from './consents.js'
import { copyRules } from './copies.js'
import { deletionRules } from './deletion.js'
import { grantBindingRules } from './grant-binding.js'
import { grantRaceRules } from './grant-races.js'
import { grantRevocationRules } from './grant-revocation.js'
import { grantRules } from './grants.js'
import { issueRules, noIssueRule } from './issue.js'
import { keyRules } from './keys.js'
import { logoutRules } from './logouts.js'
import { pendingRules } from './pending.js'
import { peopleRules } from './people.js'
import { purgeRules } from './purge.js'
import { realmRules } from './realms.js'
import { replayRules } from './replays.js'
import { revokedTokenRules } from './revoked-tokens.js'
import { rulesOf } from './rule.js'
import { sessionRules } from './sessions.js'
import { spentTokenRules } from './spent-tokens.js'
import { throttleRules } from './throttle.js'

export { requireTags, requireTagsOfIssue } from './tags.js'

/** The options of `storageConformance`. */
export interface ConformanceOptions {
  /** The name of the suite in the report. */
  name: string
  /** Called once. The storage need not be empty: every test uses new realms. */
  create: () => Promise<Storage>
  /** Whether the storage has the optional member `background`. Default false. A storage that differs fails. */
  background?: boolean
  /** Calls of `background.due` after which it has looked at everything. Default 3. */
  turns?: number
  /** Whether the storage has the optional member `issue`. Default false. A storage that differs fails. */
  issue?: boolean
  /** Called once, after the last test. */
  destroy?: (storage: Storage) => Promise<void>
}

/**
 * Registers a vitest suite that tests every rule of `Storage`. Call it at the top level of a test file.
 *
 * Atomic operations are tested with 50 parallel callers, and every rule in two realms at once with the same ids.
 * A storage may delete expired records by itself, or when `purge` is called.
 *
 * @example
 * ```ts
 * import { memoryStorage } from '@ostiary/core/memory'
 * import { storageConformance } from '@ostiary/storage-conformance'
 *
 * storageConformance({ name: 'memory', create: async () => memoryStorage() })
 * ```
 */
export function storageConformance(options: ConformanceOptions): void {
  describe(options.name, () => {
    let storage: Storage | undefined
    beforeAll(async () => {
      storage = await options.create()
    })
    afterAll(async () => {
      if (storage) await options.destroy?.(storage)
    })
    const created = (): Storage => {
      if (!storage) throw new Error('create() returned no storage')
      return storage
    }
    const rules = rulesOf(created)
    describe('clients', () => {
      clientRules(rules)
      clientChangeRules(rules)
      clientDeletionRules(rules)
    })
    describe('consents', () => consentRules(rules))
    describe('grants', () => {
      grantRules(rules)
      grantRevocationRules(rules)
      grantBindingRules(rules)
      spentTokenRules(rules)
    })
    describe('grants, in parallel', () => grantRaceRules(rules))
    describe('revoked tokens', () => revokedTokenRules(rules))
    describe('sessions', () => sessionRules(rules))
    describe('people', () => peopleRules(rules))
    describe('pending', () => pendingRules(rules))
    describe('keys', () => keyRules(rules))
    describe('logouts', () => logoutRules(rules))
    describe('throttle', () => throttleRules(rules))
    describe('replays', () => replayRules(rules))
    describe('client documents', () => clientDocumentRules(rules))
    describe('purge', () => purgeRules(rules))
    describe('deletion', () => deletionRules(rules))
    describe('copies', () => copyRules(rules))
    describe('realms', () => realmRules(rules))
    describe('issue', () => {
      if (options.issue) issueRules(rules)
      else noIssueRule(created)
    })
    describe('background', () => {
      if (options.background) backgroundRules(created, options.turns)
      else noBackgroundRule(created)
    })
  })
}
