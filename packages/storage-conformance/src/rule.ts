/** How one rule is tested: in two realms at once, with the same ids. */

import type { RealmStorage, Storage } from '@ostiary/core'
import { it } from 'vitest'

export interface Scene {
  /** One realm's stores, empty at first. */
  store: RealmStorage
  /** The same id for the same name, and another one in every test. */
  id: (name: string) => string
}

interface Scenes extends Scene {
  /** Another realm's stores, of the same storage, empty at first. */
  other: RealmStorage
}

export interface Rules {
  /** Runs the test in two realms side by side: a storage that mixes them up fails it. */
  rule(name: string, test: (scene: Scene) => Promise<void>): void
  /** Runs the test once, with both realms in hand. */
  apart(name: string, test: (scenes: Scenes) => Promise<void>): void
}

export function rulesOf(storage: () => Storage): Rules {
  const scenes = (): { one: RealmStorage; two: RealmStorage; id: Scene['id'] } => {
    const random = crypto.randomUUID()
    // One realm's name begins with the other's, which must not matter.
    // No odd text of records.ts is the beginning of an id, as "0" would be of some random ones.
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
    apart(name, test) {
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

/** Which of the callers were told yes. */
export function winnersOf(results: boolean[]): number[] {
  return results.flatMap((won, caller) => (won === true ? caller : []))
}

/** Purges until nothing is left to forget; returns how many records went. */
export async function drain(store: RealmStorage, now: number): Promise<number> {
  let all = 0
  for (let rounds = 0; rounds < 10_000; rounds += 1) {
    const went = await store.purge(now)
    if (went === 0) return all
    all += went
  }
  throw new Error('purge never says that it is done')
}
