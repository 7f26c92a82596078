import type { BackgroundStorage, DueRealms, Storage } from '@ostiary/core'
import { expect, it } from 'vitest'
import { newNames, withPart } from './ids.js'
import {
  claimOf,
  client,
  clientDocument,
  code,
  delivery,
  grant,
  LATER,
  LONG_AGO,
  NOW,
  pendingConsent,
  session,
  signingKey,
} from './records.js'

const JOBS = ['sessions', 'deliveries', 'deletions', 'keys'] as const
/** Longer than any storage that asks some realms in turn takes. */
const MAX_CALLS = 1000

/** For a storage without the member, which is asked realm by realm. */
export function noBackgroundRule(storage: () => Storage): void {
  it('has none; give the suite `background: true` when it has', () => {
    expect(storage().background).toBeUndefined()
  })
}

/** Calls until a storage that asks some realms in turn has asked those of a test. */
const TURNS = 3

/** In parallel with other rules, so an answer may name their realms too. */
export function backgroundRules(storage: () => Storage, turns = TURNS): void {
  const rule = (name: string, test: (context: BackgroundContext) => Promise<void>) =>
    it(name, async () => {
      const { background } = storage()
      if (background === undefined) throw new Error('The storage has no member background')
      const { prefix, id } = newNames()
      const names = ['one', 'two', 'idle'].map((realm) => `${prefix}.${realm}`)
      await test({ storage: storage(), background, turns, names, id })
    })

  rule('due: names each realm with a due session, delivery, deletion or key, by job', async (context) => {
    const { storage, names, id } = context
    const [one = '', two = ''] = names
    await storage(one).sessions.create(session(id('s'), { expires_at: NOW }))
    await storage(two).logouts.add([delivery(id('d'))])
    await storage(two).clients.create(client(id('c')))
    await storage(two).clients.delete(client(id('c'), { ...TOMBSTONE, expires_at: NOW }))
    await storage(one).keys.ensure(signingKey(id('k1'), LONG_AGO))
    await storage(one).keys.add(signingKey(id('k2'), NOW))
    await expectDue(context, {
      sessions: [one],
      deliveries: [two],
      deletions: [two],
      keys: [one],
    })
  })

  rule('due: of keys, names a realm whose key was replaced by one of its algorithm', async (context) => {
    const { storage, names, id } = context
    const [one = '', two = ''] = names
    for (const realm of [one, two]) {
      await storage(realm).keys.ensure(signingKey(id('rs'), LONG_AGO - 2))
      await storage(realm).keys.ensure(signingKey(id('es'), LONG_AGO - 1, 'ES256'))
      await storage(realm).keys.ensure(signingKey(id('ed'), LONG_AGO, 'EdDSA'))
    }
    expect((await dueOf(context)).keys).toEqual([])
    await storage(two).keys.add(signingKey(id('es2'), LONG_AGO, 'ES256'))
    expect((await dueOf(context)).keys).toEqual([two])
    await storage(two).keys.drop(id('es'))
    expect((await dueOf(context)).keys).toEqual([])
  })

  rule('due: names a repeated delivery, and the ended session of a server that died', async (context) => {
    const { storage, names, id } = context
    const [one = '', two = ''] = names
    await storage(one).logouts.add([delivery(id('d'), { attempts: 3, next_attempt_at: NOW })])
    await storage(two).sessions.create(session(id('s'), { expires_at: LATER }))
    await storage(two).sessions.end(id('s'), NOW - 30, 30)
    await expectDue(context, { sessions: [two], deliveries: [one], deletions: [], keys: [] })
  })

  rule('due: names no realm for what is not due, or is done', async (context) => {
    const { storage, names, id } = context
    const [one = '', two = ''] = names
    await storage(one).sessions.create(session(id('s'), { expires_at: NOW + 1 }))
    await storage(one).logouts.add([delivery(id('d'), { next_attempt_at: NOW + 1 })])
    await storage(one).clients.create(client(id('c')))
    await storage(one).clients.delete(client(id('c'), { ...TOMBSTONE, expires_at: NOW + 1 }))
    await storage(one).clients.create(client(id('revoked'), { revoked_at: 1 }))
    await storage(one).keys.ensure(signingKey(id('k1'), LONG_AGO))
    await storage(one).keys.add(signingKey(id('k2'), NOW + 1))
    await storage(two).sessions.create(session(id('s'), { expires_at: NOW }))
    await storage(two).sessions.end(id('s'), NOW, 30)
    await storage(two).logouts.add([delivery(id('d'))])
    await storage(two).logouts.claim(claimOf(NOW, 30, 10))
    await storage(two).keys.ensure(signingKey(id('k'), LONG_AGO))
    await expectDue(context, { sessions: [], deliveries: [], deletions: [], keys: [] })
  })

  rule('due: a realm with many due deliveries hides no other realm', async (context) => {
    const { storage, names, id } = context
    const [one = '', two = ''] = names
    const many = Array.from({ length: 1500 }, (_, n) => delivery(id(`${n}`), { next_attempt_at: LONG_AGO }))
    await storage(one).logouts.add(many)
    await storage(two).logouts.add([delivery(id('d'))])
    expect((await dueOf(context)).deliveries.sort()).toEqual([one, two].sort())
  })

  rule('purge: deletes what has expired in every realm, and nothing else', async (context) => {
    const { storage, background, names, id } = context
    const [one = '', two = ''] = names
    for (const realm of [one, two].map(storage)) {
      await realm.pending.put({ ...pendingConsent(id('old')), expires_at: NOW })
      await realm.pending.put({ ...pendingConsent(id('new')), expires_at: LATER })
      await realm.grants.create(grant(id('old'), { expires_at: NOW }), code(id('old')))
      await realm.grants.create(grant(id('new'), { expires_at: LATER }), code(id('new')))
      await realm.revoked_tokens.add(id('old'), NOW)
      await realm.revoked_tokens.add(id('new'), LATER)
      await realm.clients.create(client(id('old'), { expires_at: NOW }))
      await realm.clients.create(client(id('new'), { expires_at: LATER }))
      await realm.client_documents.put(clientDocument(id('old'), { expires_at: NOW }))
      await realm.client_documents.put(clientDocument(id('new')))
    }
    const due = await background.due({ now: NOW, realms: names, keys_before: LONG_AGO })
    expect(due.expired).toBe(true)
    for (let calls = 0; calls < MAX_CALLS && (await anyOld()); calls += 1) {
      await background.due({ now: NOW, realms: names, keys_before: LONG_AGO })
      await background.purge(NOW)
    }
    for (const realm of [one, two].map(storage)) {
      expect(await found(realm, id('old'))).toEqual([false, false, false, false, false, false])
      expect(await found(realm, id('new'))).toEqual([true, true, true, true, true, true])
    }

    async function anyOld(): Promise<boolean> {
      const left = await Promise.all([one, two].map((realm) => found(storage(realm), id('old'))))
      return left.flat().includes(true)
    }
  })
}

interface BackgroundContext {
  storage: Storage
  background: BackgroundStorage
  turns: number
  /** Ids of realms that are empty at first. */
  names: string[]
  id: (text: string) => string
}

const TOMBSTONE = { origin: 'operator', revoked_at: NOW } as const

/** A storage that asks the sessions of some realms in turn names all of them. */
async function expectDue(context: BackgroundContext, wanted: Omit<DueRealms, 'expired'>): Promise<void> {
  const { sessions, ...others } = await dueOf(context)
  const { sessions: wanted_sessions, ...wanted_others } = wanted
  expect(others).toEqual(wanted_others)
  expect([wanted_sessions, context.names]).toContainEqual(sessions)
}

/** The realms of the test that are named in any of enough answers, by job. */
async function dueOf({ background, turns, names }: BackgroundContext): Promise<Omit<DueRealms, 'expired'>> {
  const named = { sessions: [], deliveries: [], deletions: [], keys: [] } as Omit<DueRealms, 'expired'>
  for (let calls = 0; calls < turns; calls += 1) {
    const due = await background.due({ now: NOW, realms: names, keys_before: NOW })
    for (const job of JOBS)
      for (const realm of names)
        if (due[job].includes(realm) && !named[job].includes(realm)) named[job].push(realm)
  }
  return named
}

async function found(realm: ReturnType<Storage>, name: string): Promise<boolean[]> {
  return [
    (await realm.pending.find(name)) !== null,
    (await realm.grants.find(name)) !== null,
    (await realm.grants.findCode(withPart(name, 'code'))) !== null,
    await realm.revoked_tokens.has(name),
    (await realm.clients.find(name)) !== null,
    (await realm.client_documents.find(name)) !== null,
  ]
}
