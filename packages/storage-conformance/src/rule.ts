/** Runs the test of one rule in two realms at once, with the same ids. */

import type { IssueGrant, RealmStorage, Storage } from '@ostiary/core'
import { it } from 'vitest'
import { type Names, newNames } from './ids.js'
import { requireTags, requireTagsOfIssue } from './tags.js'

export interface RuleContext extends Omit<Names, 'prefix'> {
  /** The stores of one realm, which is empty at first. */
  store: RealmStorage
  /** `Storage.issue` of the same realm. */
  issue: IssueGrant | undefined
}

interface TwoRealms extends Omit<RuleContext, 'issue'> {
  /** The stores of another realm of the same storage, which is empty at first. */
  other: RealmStorage
}

export interface Rules {
  /** Runs the test in two realms at the same time: a storage that mixes them up fails. */
  rule(name: string, test: (context: RuleContext) => Promise<void>): void
  /** Runs the test once, with the stores of both realms. */
  realmsRule(name: string, test: (context: TwoRealms) => Promise<void>): void
}

export function rulesOf(storage: () => Storage): Rules {
  // A rule whose records have other tags than their person's would prove nothing about a storage that is divided by people.
  const stores = (realm: string): RealmStorage => requireTags(storage()(realm))
  const issueOf = (realm: string): IssueGrant | undefined => {
    const issue = storage().issue?.(realm)
    return issue && requireTagsOfIssue(issue)
  }
  // The name of one realm is a prefix of the other's: a storage must not confuse them.
  const newRealms = () => {
    const { prefix, ...names } = newNames()
    return { one: prefix, two: `${prefix}.2`, names }
  }
  return {
    rule(name, test) {
      it(name, async () => {
        const { one, two, names } = newRealms()
        const contextOf = (realm: string) => ({
          store: stores(realm),
          issue: issueOf(realm),
          ...names,
        })
        await Promise.all([test(contextOf(one)), test(contextOf(two))])
      })
    },
    realmsRule(name, test) {
      it(name, async () => {
        const { one, two, names } = newRealms()
        await test({ store: stores(one), other: stores(two), ...names })
      })
    },
  }
}

/** Calls the function at the same time for each caller, numbered from 0; returns the results in this order. */
export function parallel<T>(callers: number, call: (caller: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
}

/** The numbers of the callers whose result is true. */
export function winnersOf(results: boolean[]): number[] {
  return results.flatMap((result, caller) => (result === true ? caller : []))
}

/** Purges until nothing is left to delete; returns how many records were deleted. */
export async function drain(store: RealmStorage, now: number): Promise<number> {
  let deleted = 0
  for (let rounds = 0; rounds < 10_000; rounds += 1) {
    const count = await store.purge(now)
    if (count === 0) return deleted
    deleted += count
  }
  throw new Error('purge never returns 0')
}
