import { beforeEach, expect, it } from 'vitest'
import { type Lanes, openLanes } from '../src/connection/lanes.js'

let opened = 0
let old: number[] = []
let ended: number[] = []
/** Closes a connection, by its number. */
let close: Record<number, () => void> = {}
let lanes: Lanes<number>
beforeEach(() => {
  opened = 0
  old = []
  ended = []
  close = {}
  lanes = openLanes({
    limit: 2,
    open(onClosed) {
      opened += 1
      close[opened] = onClosed
      return opened
    },
    isOld: (connection) => old.includes(connection),
    end: (connection) => ended.push(connection),
    onError: () => {},
  })
})

/** Occupies a connection until `end` is called. */
function occupied(by: 'run' | 'reserve') {
  let connection: number | null = null
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const done = lanes[by]((chosen) => {
    connection = chosen
    return finished
  })
  return {
    connection: () => connection,
    end() {
      finish()
      return done
    },
  }
}
const chosen = () => lanes.run(async (connection) => connection)

it('one caller uses one connection, however many statements it runs', async () => {
  for (let n = 0; n < 5; n += 1) expect(await chosen()).toBe(1)
  await expect(lanes.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await chosen()).toBe(1)
  expect(opened).toBe(1)
})

it('a statement runs beside one that waits, and behind the fewest when every connection is busy', async () => {
  const statements = Array.from({ length: 5 }, () => occupied('run'))
  expect(statements.map(({ connection }) => connection())).toEqual([1, 2, 1, 2, 1])
  await statements[1]?.end()
  await statements[3]?.end()
  expect(await chosen()).toBe(2)
})

it('the connection of a transaction gets no other statement until the transaction ends', async () => {
  const transaction = occupied('reserve')
  expect(await Promise.all([chosen(), chosen(), chosen()])).toEqual([2, 2, 2])
  await transaction.end()
  expect(await chosen()).toBe(1)
})

it('statements wait while transactions use every connection, and start in their order', async () => {
  const transactions = [occupied('reserve'), occupied('reserve')]
  const next = occupied('reserve')
  const statement = chosen()
  expect(next.connection()).toBe(null)
  await transactions[1]?.end()
  expect(next.connection()).toBe(2)
  await transactions[0]?.end()
  expect(await statement).toBe(1)
  await next.end()
})

it('a transaction that fails releases its connection', async () => {
  const held = occupied('reserve')
  const failing = lanes.reserve(() => Promise.reject(new Error('no')))
  const waiting = chosen()
  await expect(failing).rejects.toThrow('no')
  expect(await waiting).toBe(2)
  await held.end()
})

it('a connection that has closed is replaced, once', async () => {
  expect(await chosen()).toBe(1)
  close[1]?.()
  close[1]?.()
  expect([await chosen(), opened]).toEqual([2, 2])
})

it('an old connection is replaced when it runs nothing, and its end replaces nothing', async () => {
  const statement = occupied('run')
  old = [1]
  expect(await chosen()).toBe(2)
  await statement.end()
  expect([await chosen(), ended]).toEqual([3, [1]])
  close[1]?.()
  expect([await chosen(), opened]).toEqual([3, 3])
})

it('the connection of a transaction is not replaced before its end', async () => {
  const transaction = occupied('reserve')
  old = [1]
  expect(await chosen()).toBe(2)
  expect(ended).toEqual([])
  await transaction.end()
  expect([await chosen(), ended]).toEqual([3, [1]])
})

it('opens no connection after it is closed', async () => {
  const held = occupied('run')
  expect(lanes.close()).toEqual([1])
  expect(await chosen()).toBe(1)
  expect(opened).toBe(1)
  await held.end()
})
