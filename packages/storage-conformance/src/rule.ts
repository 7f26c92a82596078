/** Runs the test of one rule in two realms at once, with the same ids. */

import type { RealmStorage, Storage } from '@ostiary/core'
import { it } from 'vitest'

export interface Scene {
  /** The stores of one realm, which is empty at first. */
  store: RealmStorage
  /** Returns the same id for the same name, and other ids in every test. */
  id: (name: string) => string
}

interface TwoRealms extends Scene {
  /** The stores of another realm of the same storage, which is empty at first. */
  other: RealmStorage
}

export interface Rules {
  /** Runs the test in two realms at the same time: a storage that mixes them up fails. */
  rule(name: string, test: (scene: Scene) => Promise<void>): void
  /** Runs the test once, with the stores of both realms. */
  realmsRule(name: string, test: (scene: TwoRealms) => Promise<void>): void
}

export function rulesOf(storage: () => Storage): Rules {
  const scenes = (): { one: RealmStorage; two: RealmStorage; id: Scene['id'] } => {
    const random = crypto.randomUUID()
    // The name of one realm begins with that of the other, which a storage must not confuse.
    // An id begins with none of the odd texts of records.ts; "0" is the beginning of some UUIDs.
    const id = (name: string) => `id-${random}-${name}`
    return { one: storage()(random), two: storage()(`${random}.2`), id }
  }
  return {
    rule(name, test) {
      it(name, async () => {
        const { one, two, id } = scenes()
        await Promise.all([test({ store: one, id }), test({ store: two, id })])
      })
    },
    realmsRule(name, test) {
      it(name, async () => {
        const { one, two, id } = scenes()
        await test({ store: one, other: two, id })
      })
    },
  }
}

export function parallel<T>(callers: number, call: (caller: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
}

/** The numbers of the callers that won. */
export function winnersOf(results: boolean[]): number[] {
  return results.flatMap((won, caller) => (won === true ? caller : []))
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
