import { describe, expect, it } from 'vitest'
import { BusyError, createGate, type GateSize, type PasswordCaller } from './gate.js'

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** One task runs until `step`; the others record their names when they start. */
async function line(size: Omit<GateSize, 'concurrent'>, names: [name: string, caller: PasswordCaller][]) {
  const gate = createGate({ concurrent: 1, ...size })
  const hold = deferred()
  const first = gate.run(() => hold.promise)
  const served: string[] = []
  const refused: string[] = []
  const all = names.map(([name, turn]) =>
    gate
      .run(async () => void served.push(name), turn)
      .catch((error: unknown) => {
        if (!(error instanceof BusyError)) throw error
        refused.push(name)
      }),
  )
  hold.resolve()
  await Promise.all([first, ...all])
  return { served, refused }
}

const of = (group: string, names: string[], known = false): [string, PasswordCaller][] =>
  names.map((name) => [name, { group, known }])

it('limits the tasks that run at a time, in order of arrival', async () => {
  const gate = createGate({ concurrent: 2, waiting: 10, reserved: 0 })
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

it('reports how many run and wait', async () => {
  const gate = createGate({ concurrent: 1, waiting: 5, reserved: 2 })
  const hold = deferred()
  const running = gate.run(() => hold.promise)
  const waiting = [false, true].map((known) => gate.run(async () => {}, { known }))
  expect(gate.load()).toEqual({ running: 1, waiting: 2, places: 5 })
  hold.resolve()
  await Promise.all([running, ...waiting])
  expect(gate.load()).toEqual({ running: 0, waiting: 0, places: 5 })
})

it('refuses tasks when the queue is full, and recovers', async () => {
  const gate = createGate({ concurrent: 1, waiting: 1, reserved: 0 })
  const hold = deferred()
  const first = gate.run(() => hold.promise)
  const second = gate.run(async () => 'second')
  await expect(gate.run(async () => 'third')).rejects.toThrow(BusyError)
  hold.resolve()
  await first
  expect(await second).toBe('second')
  expect(await gate.run(async () => 'fourth')).toBe('fourth')
})

it('a failing task frees its place', async () => {
  const gate = createGate({ concurrent: 1, waiting: 0, reserved: 0 })
  await expect(gate.run(async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.run(async () => 'yes')).toBe('yes')
})

describe('groups', () => {
  it('take turns, each in order of arrival', async () => {
    const { served } = await line({ waiting: 10, reserved: 0 }, [
      ...of('a', ['a1', 'a2', 'a3']),
      ...of('b', ['b1']),
      ...of('c', ['c1', 'c2']),
    ])
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  })

  it('with one caller replace the newest of the largest group when the queue is full', async () => {
    const { served, refused } = await line({ waiting: 4, reserved: 0 }, [
      ...of('a', ['a1']),
      ...of('b', ['b1', 'b2', 'b3']),
      ...of('c', ['c1']),
    ])
    expect(refused).toEqual(['b3'])
    expect(served).toEqual(['a1', 'b1', 'c1', 'b2'])
  })

  it('of the same size draw the place: here the new one loses', async () => {
    const draw = (below: number) => below - 1
    const { served, refused } = await line({ waiting: 3, reserved: 0, draw }, [
      ...of('a', ['a1']),
      ...of('b', ['b1', 'b2']),
      ...of('c', ['c1']),
      ...of('d', ['d1']),
    ])
    expect(refused).toEqual(['b2', 'd1'])
    expect(served).toEqual(['a1', 'b1', 'c1'])
  })
})

describe('known callers', () => {
  it('have reserved places, and alternate with the others', async () => {
    const { served, refused } = await line({ waiting: 5, reserved: 2 }, [
      ...of('a', ['a1', 'a2', 'a3', 'a4']),
      ...of('b', ['b1', 'b2'], true),
    ])
    expect(refused).toEqual(['a4'])
    expect(served).toEqual(['b1', 'a1', 'b2', 'a2', 'a3'])
  })

  it('wait with the others when the reserved places are taken', async () => {
    const { served, refused } = await line({ waiting: 3, reserved: 1 }, [
      ...of('a', ['a1', 'a2']),
      ...of('b', ['b1', 'b2'], true),
    ])
    expect(refused).toEqual(['a2'])
    expect(served).toEqual(['b1', 'a1', 'b2'])
  })
})

it('one site cannot delay the callers of another', async () => {
  const site = of(
    '2001:db8:1::/48',
    Array.from({ length: 120 }, (_, i) => `attack-${i}`),
  )
  const { served, refused } = await line({ waiting: 64, reserved: 16 }, [
    ...site,
    ...of('192.0.2.1', ['honest']),
    ...of('192.0.2.2', ['known'], true),
  ])
  expect(served.indexOf('known')).toBe(0)
  expect(served.indexOf('honest')).toBeLessThanOrEqual(2)
  expect(refused).toHaveLength(120 - 47)
  expect(refused).not.toContain('honest')
})
