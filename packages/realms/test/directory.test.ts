/** What a process knows of the realms: how often it asks, and what it answers when it cannot ask. */

import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, vi } from 'vitest'
import { memoryRealms, RealmNotReadError, type RealmRecord, realmDirectory } from '../src/index.ts'

const NOW = 1_800_000_000

function place() {
  const store = memoryRealms()
  const clock = { ms: 5000 }
  const asked = { changes: 0, finds: [] as string[] }
  const fails = { changes: false, find: false }
  const changed: string[] = []
  let hold: Promise<void> = Promise.resolve()
  let hold_finds: Promise<void> = Promise.resolve()
  const directory = realmDirectory({
    store: {
      async changes(after) {
        asked.changes += 1
        if (fails.changes) throw new Error('the database is away')
        const answer = await store.changes(after)
        const held = hold
        hold = Promise.resolve()
        await held
        return answer
      },
      async find(id) {
        asked.finds.push(id)
        if (fails.find) throw new Error('the database is away')
        const found = await store.find(id)
        await hold_finds
        return found
      },
    },
    read: async ({ settings, version }: RealmRecord) => ({ settings, version }),
    changed: (id) => changed.push(id),
    now_ms: () => clock.ms,
  })
  const make = async (id: string, settings = {}) => {
    await store.create({ id, settings }, NOW)
  }
  /** Of the next question what has changed. */
  const holdAnswer = () => {
    let release = () => {}
    hold = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  const holdFinds = () => {
    let release = () => {}
    hold_finds = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  return { store, clock, asked, fails, changed, directory, make, holdAnswer, holdFinds }
}

it('a realm is found with its settings, and read once while it is not changed', async () => {
  const { directory, make, asked, clock } = place()
  await make('acme', { oidc: { profile: 'fapi2' } })
  const found = { settings: { oidc: { profile: 'fapi2' } }, version: 1 }
  expect(await directory.find('acme')).toEqual(found)
  clock.ms += 60_000
  expect(await directory.find('acme')).toEqual(found)
  expect(asked.finds).toEqual(['acme'])
  expect(directory.current('acme')).toEqual(found)
})

it('requests that come at once share one statement, and those after a change do not share an older one', async () => {
  const { directory, make, asked, store, holdFinds } = place()
  await make('acme')
  await Promise.all(Array.from({ length: 20 }, () => directory.find('acme')))
  expect(asked).toEqual({ changes: 1, finds: ['acme'] })
  directory.changed('acme')
  const release = holdFinds()
  const before = directory.find('acme')
  await eventually(() => expect(asked.finds.length).toBe(2))
  await store.replace('acme', { settings: { oidc: {} }, version: 1 }, NOW)
  directory.changed('acme')
  const after = directory.find('acme')
  await eventually(() => expect(asked.finds.length).toBe(3))
  release()
  expect(await after).toMatchObject({ version: 2 })
  expect(await before).toMatchObject({ version: 1 })
  expect(directory.current('acme')).toMatchObject({ version: 2 })
})

it('whichever names are asked for, the store is asked once a second', async () => {
  const { directory, asked, clock } = place()
  for (let n = 0; n < 50; n += 1) expect(await directory.find(`none-${n}`)).toBeNull()
  clock.ms += 999
  await Promise.all(Array.from({ length: 50 }, (_, n) => directory.find(`none-${n}`)))
  expect(asked).toEqual({ changes: 1, finds: [] })
  clock.ms += 1
  await Promise.all(Array.from({ length: 50 }, (_, n) => directory.find(`none-${n}`)))
  expect(asked).toEqual({ changes: 2, finds: [] })
})

it('a deleted realm that is asked for again and again costs no statement of its own', async () => {
  const { directory, store, make, asked, clock } = place()
  await make('acme')
  await directory.find('acme')
  await store.remove('acme', { version: 1 }, NOW)
  clock.ms += 1000
  for (let n = 0; n < 50; n += 1) expect(await directory.find('acme')).toBeNull()
  expect(asked).toEqual({ changes: 2, finds: ['acme'] })
  expect(() => directory.current('acme')).toThrow(RealmNotReadError)
})

it('a change of another process counts within a second, and is told', async () => {
  const { directory, store, make, clock, changed } = place()
  await make('acme')
  await make('other')
  await directory.find('acme')
  changed.length = 0
  await store.replace('acme', { settings: { identity: {} }, version: 1 }, NOW)
  expect(await directory.find('acme')).toMatchObject({ version: 1 })
  clock.ms += 1000
  expect(await directory.find('acme')).toEqual({ settings: { identity: {} }, version: 2 })
  expect(changed).toEqual(['acme'])
})

it('a change of this process counts at once', async () => {
  const { directory, store, make, changed } = place()
  await make('acme')
  await directory.find('acme')
  await store.replace('acme', { settings: { identity: {} }, version: 1 }, NOW)
  changed.length = 0
  directory.changed('acme')
  expect(changed).toEqual(['acme'])
  expect(await directory.find('acme')).toMatchObject({ version: 2 })
  await store.remove('acme', { version: 2 }, NOW)
  directory.changed('acme')
  expect(await directory.find('acme')).toBeNull()
  await make('new')
  directory.changed('new')
  expect(await directory.find('new')).toMatchObject({ version: 1 })
  expect(await directory.ids()).toEqual(['new'])
})

it('an answer that was under way when a realm was deleted does not bring it back', async () => {
  const { directory, store, make, clock, asked, holdAnswer } = place()
  await make('acme')
  await directory.find('acme')
  await store.replace('acme', { settings: {}, version: 1 }, NOW)
  clock.ms += 1000
  const release = holdAnswer()
  const late = directory.find('acme')
  await eventually(() => expect(asked.changes).toBe(2))
  await store.remove('acme', { version: 2 }, NOW)
  directory.changed('acme')
  const after = directory.find('acme')
  // One turn, in which a question that waits for no other would be answered.
  await new Promise((resolve) => setImmediate(resolve))
  release()
  expect(await after).toBeNull()
  await late
  expect(await directory.find('acme')).toBeNull()
  expect(await directory.ids()).toEqual([])
})

it('while the store cannot be read, nothing is known: neither a realm, nor that there is none', async () => {
  const { directory, make, fails, asked, clock } = place()
  await make('acme')
  await directory.find('acme')
  fails.changes = true
  clock.ms += 1000
  for (const id of ['acme', 'none', 'acme']) await expect(directory.find(id)).rejects.toThrow('away')
  await expect(directory.ids()).rejects.toThrow('away')
  expect(asked.changes).toBe(2)
  fails.changes = false
  clock.ms += 1000
  expect(await directory.find('acme')).toMatchObject({ version: 1 })
  expect(await directory.find('none')).toBeNull()
})

it('a realm whose settings cannot be read is asked for again the next time', async () => {
  const { directory, make, fails } = place()
  await make('acme')
  fails.find = true
  await expect(directory.find('acme')).rejects.toThrow('away')
  expect(() => directory.current('acme')).toThrow('send the request again')
  fails.find = false
  expect(await directory.find('acme')).toMatchObject({ version: 1 })
})

it('a version that was stored since the last look is kept as it was read', async () => {
  const { directory, store, make, asked, clock, changed } = place()
  await make('acme')
  await directory.ids()
  await store.replace('acme', { settings: { identity: {} }, version: 1 }, NOW)
  changed.length = 0
  expect(await directory.find('acme')).toMatchObject({ version: 2 })
  expect(directory.current('acme')).toMatchObject({ version: 2 })
  clock.ms += 1000
  await directory.find('acme')
  expect(asked.finds).toEqual(['acme'])
  expect(changed).toEqual([])
})

it('after a restore of the database, realms that it does not have are gone', async () => {
  const { directory, store, make, clock } = place()
  for (const id of ['a', 'b', 'c']) await make(id)
  expect(await directory.ids()).toEqual(['a', 'b', 'c'])
  // The earlier copy, in which one realm was made.
  const earlier = memoryRealms()
  await earlier.create({ id: 'b', settings: {} }, NOW)
  store.changes = earlier.changes
  store.find = earlier.find
  clock.ms += 1000
  expect(await directory.ids()).toEqual(['b'])
  expect(await directory.find('a')).toBeNull()
})

it('the settings of 2,000 realms are in memory, those that were used last', async () => {
  const { directory, make, asked } = place()
  for (let n = 0; n < 2001; n += 1) await make(`r-${n}`)
  for (let n = 0; n < 2000; n += 1) await directory.find(`r-${n}`)
  await directory.find('r-0')
  asked.finds.length = 0
  await directory.find('r-2000')
  await directory.find('r-0')
  expect(asked.finds).toEqual(['r-2000'])
  await directory.find('r-1')
  expect(asked.finds).toEqual(['r-2000', 'r-1'])
})

it('five seconds after a use it looks for changes, so that a realm in use elsewhere in the process is forgotten in time', async () => {
  vi.useFakeTimers()
  try {
    const { directory, store, make, changed, clock, asked } = place()
    await make('acme')
    await directory.find('acme')
    await store.remove('acme', { version: 1 }, NOW)
    changed.length = 0
    clock.ms += 4999
    await vi.advanceTimersByTimeAsync(4999)
    expect(changed).toEqual([])
    clock.ms += 1
    await vi.advanceTimersByTimeAsync(1)
    expect(changed).toEqual(['acme'])
    // Without a use, it does not go on.
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.changes).toBe(2)
    await directory.find('acme')
    directory.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.changes).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})
