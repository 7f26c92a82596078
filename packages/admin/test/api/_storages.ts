/** The storages on which what is stored is tried. */

import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { onTestFinished } from 'vitest'
import { adminPlace, type Place, type PlaceOptions } from './_place.ts'

export async function database(): Promise<Executor> {
  const executor = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => executor.close())
  return executor
}

type Send = (line: string, body?: unknown, headers?: Record<string, string>) => ReturnType<Place['call']>

/** A place, and calls of ann, who owns all realms, and of sue, who supports users. */
export async function staffed(options: PlaceOptions = {}): Promise<Place & { ann: Send; sue: Send }> {
  const place = await adminPlace(options)
  const as = async (sub: string): Promise<Send> => {
    const { access_token } = await place.signIn(sub)
    return (line, body, headers = {}) =>
      place.call(access_token, line, { ...(body !== undefined && { body }), headers })
  }
  await place.give('sub:ann', 'owner', '*')
  await place.give('sub:sue', 'support', '*')
  return { ...place, ann: await as('ann'), sue: await as('sue') }
}

export const STORAGES = [
  ['in memory', async (options: PlaceOptions = {}) => staffed(options)],
  [
    'in PostgreSQL',
    async (options: PlaceOptions = {}) => staffed({ ...options, executor: await database() }),
  ],
] as const

export const problem = (code: string, status: number) => ({
  status,
  body: { type: `urn:ostiary:problem:${code}` },
})

/** Type, outcome, actor and user of each row of a change. */
export const rowsOf = async ({ changes }: Place) =>
  (await changes()).map(({ type, outcome, actor, sub }) => `${type} ${outcome} ${actor} ${sub ?? '-'}`)
