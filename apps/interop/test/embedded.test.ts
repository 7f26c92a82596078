/** The provider inside several frameworks and runtimes: one list of requests, over a real socket. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CODE_FLOW } from './code-flow.ts'
import { EMBEDDED, type ExampleProcess, startEmbedded } from './embedded.ts'
import { type BrowserState, newcomer, walk } from './walk.ts'

describe.each(EMBEDDED)('$name', (embedded) => {
  let started: ExampleProcess
  let seen: BrowserState
  beforeAll(async () => {
    started = await startEmbedded(embedded)
    seen = newcomer(started.issuer)
  })
  afterAll(() => started?.stop())

  it('answers concurrent requests while it starts, all from one application', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${started.issuer}/.well-known/jwks.json`)),
    )
    const keys = await Promise.all(answers.map((answer) => answer.text()))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(keys).size).toBe(1)
  })

  it.each(CODE_FLOW)('$says', (step) => walk(step, seen))

  it('answers 404 for an unknown path', async () => {
    expect((await fetch(`${started.issuer}/oauth/nothing`)).status).toBe(404)
  })
})
