import { expect, it } from 'vitest'
import { BusyError, createGate } from './gate.js'

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

it('runs at most so many tasks at a time, in order of arrival', async () => {
  const gate = createGate({ concurrent: 2, waiting: 10 })
  const started: number[] = []
  const holds = Array.from({ length: 5 }, deferred)
  const runs = holds.map(({ promise }, index) =>
    gate.run(async () => {
      started.push(index)
      await promise
    }),
  )
  expect(started).toEqual([0, 1])
  holds[1]?.resolve()
  await runs[1]
  await Promise.resolve()
  expect(started).toEqual([0, 1, 2])
  for (const { resolve } of holds) resolve()
  await Promise.all(runs)
  expect(started).toEqual([0, 1, 2, 3, 4])
})

it('refuses what does not fit into the queue, and recovers', async () => {
  const gate = createGate({ concurrent: 1, waiting: 1 })
  const hold = deferred()
  const first = gate.run(() => hold.promise)
  const second = gate.run(async () => 'second')
  await expect(gate.run(async () => 'third')).rejects.toThrow(BusyError)
  hold.resolve()
  await first
  expect(await second).toBe('second')
  expect(await gate.run(async () => 'fourth')).toBe('fourth')
})

it('frees the place of a task that fails', async () => {
  const gate = createGate({ concurrent: 1, waiting: 0 })
  await expect(gate.run(async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.run(async () => 'yes')).toBe('yes')
})
