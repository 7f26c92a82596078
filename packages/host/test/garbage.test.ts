/**
 * What a request has needed is collected with the young generation of V8. What gets old is collected by a collection that costs a
 * request a tenth of its processor time, and until then it takes memory.
 */

import { promotedBytes } from '@ostiary/test-kit/memory/promoted-bytes'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { type AnswerLimits, boundAnswer } from '../src/server/limits.ts'
import { openList } from '../src/values/open-list.ts'
import { configure, FILE, inMemory } from './support.ts'

const HEAVY_BYTES = 32_000

/** With an array that takes HEAVY_BYTES of the heap. */
const heavy = <T extends object>(value: T) =>
  Object.assign(value, { heavy: new Array(HEAVY_BYTES / 8).fill(0) })

it('a request that the audit has seen does not get old', async () => {
  const options = { log: createLog({ write: () => {} }), storage: inMemory() }
  const app = await createApp(await configure({ ...FILE, audit: { enabled: true } }), options)
  onTestFinished(() => app.stop())
  const init = { method: 'POST', body: new URLSearchParams({ grant_type: 'nothing' }) }
  const statuses = new Set<number>()
  const refused = async () => {
    const request = new Request('http://localhost:4000/oauth/token', init)
    statuses.add((await app.fetch(heavy(request))).status)
  }
  expect(await promotedBytes(refused)).toBeLessThan(HEAVY_BYTES / 4)
  expect(statuses).toEqual(new Set([400]))
})

it.each<[string, AnswerLimits]>([
  ['within the limit', { answer_ms: 60_000 }],
  ['while the server may stop', { answer_ms: 60_000, open: openList() }],
])('an answer %s does not get old', async (_, limits) => {
  const answer = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return heavy(new Response())
  }
  expect(await promotedBytes(() => boundAnswer(answer(), limits))).toBeLessThan(HEAVY_BYTES / 4)
})
