/** What doctor says about the factors of users. The commands are in apps/server-tests. */

import type { Factor, FactorStore, Factors } from '@ostiary/identity'
import { memoryUserStores } from '@ostiary/identity'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { expect, it } from 'vitest'
import { checkFactors, surveyRealm } from '../src/doctor/factors.ts'
import { configure, FILE } from './support.ts'

const SECRETS = { secret: 'a secret of this test, 32 characters' }
const PLACE = { realm: 'default', issuer: 'https://id.example.com' }

/** A realm that has so many sets of recovery codes. */
function factorsWith(count: number): { factors: Factors; pages: () => number } {
  const record = factorRecord('set', 'ann', { kind: 'recovery', state: '[]' })
  let pages = 0
  const page: FactorStore['page'] = async ({ after, limit }) => {
    pages += 1
    const first = after === undefined ? 0 : Number(after) + 1
    const length = Math.min(limit, count - first)
    return Array.from({ length }, (_, index): Factor => ({ ...record, factor_id: String(first + index) }))
  }
  return { factors: () => ({ ...memoryUserStores().factors('default'), page }), pages: () => pages }
}

const findingsOf = async (count: number, secrets: { secret: string; previous_secret?: string }) => {
  const { factors, pages } = factorsWith(count)
  const survey = await surveyRealm(secrets, factors, 'default')
  const found = checkFactors(await configure(FILE), survey, PLACE)
  return { pages: pages(), found: found.map(({ status, message }) => `${status}: ${message}`) }
}

it('at most 100,000 factors of a realm are read, and a note says that there are more', async () => {
  expect(await findingsOf(100_000, SECRETS)).toMatchObject({ found: [] })
  const { pages, found } = await findingsOf(300_000, SECRETS)
  expect(found).toEqual(['note: only the first 100,000 of realm default were checked'])
  expect(pages).toBe(101)
  expect((await findingsOf(100_001, SECRETS)).found).toEqual(found)
})

it('all are read while the secret is being changed', async () => {
  const both = { ...SECRETS, previous_secret: 'the secret before, of 32 characters' }
  expect(await findingsOf(100_001, both)).toEqual({ pages: 101, found: [] })
})
