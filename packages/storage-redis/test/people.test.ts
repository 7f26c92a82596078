/** The keys of people: in which slots they are, what finds them, and which tags are remembered. */

import { personTag, type RealmStorage } from '@ostiary/core'
import { Command } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { redisStorage } from '../src/index.js'
import {
  code,
  fill,
  fillPerson,
  grant,
  idOf,
  LATER,
  NOW,
  redemption,
  refreshToken,
  session,
} from './records.js'
import { commandsOf, keysBelow, ownCorner, removeBelow } from './support.js'

const { redis, prefix } = ownCorner()

const slotOf = (key: string): number => Number(new Command('get', [key]).getSlot())
const kindOf = (key: string): string => key.slice(key.indexOf('}:') + 2).split(':', 1)[0] ?? ''

const OF_PERSON =
  'code consenting consenting-to consents grant grants-by-end grants-of-session grants-of-user revoked revoked-by-end session ' +
  'sessions-by-end sessions-of sid spent-of token'
const OF_REALM =
  'client clients deliveries deliveries-due document documents documents-by-end keys pending pending-by-end replay revoked ' +
  'revoked-by-end tags-of-grants tags-of-revoked tags-of-sessions throttle'

it('a person has one slot, another person another one, and the records of the realm a third one', async () => {
  const store = redisStorage(redis, { prefix })('slots')
  for (const sub of ['alice', 'bob']) await fill(store, sub)
  const keys = await keysBelow(redis, `${prefix}{slots`)
  const kindsIn = (slot: number) => {
    const kinds = keys.flatMap((key) => (slotOf(key) === slot ? kindOf(key) : []))
    return [...new Set(kinds)].sort().join(' ')
  }
  const slots = ['slots', `slots:${personTag('alice')}`, `slots:${personTag('bob')}`].map((tag) =>
    slotOf(`{${tag}}`),
  )
  expect(slots.map(kindsIn)).toEqual([OF_REALM, OF_PERSON, OF_PERSON])
  expect(new Set(keys.map(slotOf))).toEqual(new Set(slots))
})

/** Every operation that begins with an id or hash that a client or a browser has sent; a Redis that answers with an error fails. */
async function present({ grants, sessions, revoked_tokens }: RealmStorage, sent: string): Promise<unknown[]> {
  const next = redemption(refreshToken(idOf('forged')))
  const raised = { session_hash: sent, auth_time: NOW, amr: [], acr: null, raised_at: NOW }
  await sessions.touch(sent, NOW)
  await sessions.forget(sent)
  return [
    await sessions.find(sent),
    await sessions.join(sent, 'app'),
    await sessions.raise(sent, raised, sent),
    await sessions.end(sent, NOW, 30),
    await grants.find(sent),
    await grants.findCode(sent),
    await grants.redeemCode(sent, next, NOW),
    await grants.findRefreshToken(sent),
    await grants.rotateRefreshToken(sent, next, NOW),
    await grants.renewRefreshToken(sent, { expires_at: LATER, grant_expires_at: LATER }),
    await grants.revoke({ grant_id: sent }, NOW),
    await grants.revoke({ sid: sent }, NOW),
    await revoked_tokens.has(sent),
    await revoked_tokens.has(`${sent}.random`),
  ]
}
const NOTHING = [null, false, false, null, null, null, false, null, false, false, 0, 0, false, false]

describe('an id that a client or a browser has sent', () => {
  const alice = personTag('alice')

  it.each([
    ['of another person', idOf('h', 'bob')],
    ['with a tag that no person has', 'h__'],
    ['that is a tag', alice],
    ['of one character', alice.charAt(0)],
    ['that is empty', ''],
    ['with braces', `h${alice}}:`],
    ['with an opening brace', `h{`],
    ['with the end of a root', `:${alice}}:session:${idOf('h')}`],
    ['with a line break', `${idOf('h')}\r\n`],
    ['with a zero', '\0\0'],
    ['with half of a character', '\ud83d\ud83d'],
    ['of another alphabet', '🦉é'],
  ])('finds nothing and stores nothing: %s', async (_, sent) => {
    const store = redisStorage(redis, { prefix })(`sent-${crypto.randomUUID()}`)
    await fillPerson(store, 'alice')
    const before = await keysBelow(redis, `${prefix}{sent-`)
    expect(await present(store, sent)).toEqual(NOTHING)
    expect(await keysBelow(redis, `${prefix}{sent-`)).toEqual(before)
    expect(await store.sessions.find(idOf('h'))).toMatchObject({ client_ids: ['app'] })
    await removeBelow(redis, `${prefix}{sent-`)
  })

  it('with the tag of its person finds each record', async () => {
    const store = redisStorage(redis, { prefix })('right')
    await fillPerson(store, 'alice')
    const found = await Promise.all([
      store.sessions.find(idOf('h')),
      store.grants.find(idOf('g')),
      store.grants.findCode(idOf('g-code')),
      store.grants.findRefreshToken(idOf('t2')),
    ])
    expect(found.map((record) => record !== null)).toEqual([true, true, true, true])
    expect(await store.revoked_tokens.has(`${idOf('g')}.j`)).toBe(true)
  })
})

it('a record whose id has the tag of another person is with its person, and is not found by that id', async () => {
  const store = redisStorage(redis, { prefix })('foreign')
  const [sid, session_hash, grant_id] = ['s', 'h', 'g'].map((name) => idOf(name, 'bob')) as [
    string,
    string,
    string,
  ]
  await store.sessions.create(session({ sid, session_hash }))
  await store.grants.create(grant({ grant_id }), code(grant_id))
  expect(await store.sessions.find(session_hash)).toBeNull()
  expect(await store.grants.find(grant_id)).toBeNull()
  expect(await store.grants.redeemCode(idOf('g-code', 'bob'), redemption(null), NOW)).toBe(false)
  const roots = ['foreign', `foreign:${personTag('alice')}`].map((tag) => `${prefix}{${tag}}:`)
  const keys = await keysBelow(redis, `${prefix}{foreign`)
  expect(keys.filter((key) => !roots.some((root) => key.startsWith(root)))).toEqual([])
})

describe('the tags of a realm', () => {
  const CREATE: Record<string, (store: RealmStorage, name: string) => Promise<void>> = {
    sessions: (store, name) => store.sessions.create(session({ sid: idOf(name), session_hash: idOf(name) })),
    grants: (store, name) => store.grants.create(grant({ grant_id: idOf(name) }), code(idOf(name))),
    revoked: (store, name) => store.revoked_tokens.add(`${idOf(name)}.random`, LATER),
  }
  const kinds = Object.entries(CREATE)
  const setOf = (realm: string, kind: string) => `${prefix}{${realm}}:tags-of-${kind}`

  it.each(kinds)('have that of a person before the first of the %s is stored', async (kind, create) => {
    const realm = `first-${kind}`
    const store = redisStorage(redis, { prefix })(realm)
    // The set cannot be written.
    await redis.set(setOf(realm, kind), 'a text')
    for (const name of ['one', 'two']) await expect(create(store, name)).rejects.toThrow('WRONGTYPE')
    expect(await keysBelow(redis, `${prefix}{${realm}`)).toEqual([setOf(realm, kind)])
    await redis.del(setOf(realm, kind))
    await create(store, 'one')
    expect(await redis.smembers(setOf(realm, kind))).toEqual([personTag('alice')])
  })

  it.each(kinds)('are not written for each of the %s', async (kind, create) => {
    const realm = `known-${kind}`
    const store = redisStorage(redis, { prefix })(realm)
    await create(store, 'one')
    await redis.del(setOf(realm, kind))
    await create(store, 'two')
    expect(await redis.exists(setOf(realm, kind))).toBe(0)
  })

  it('are remembered for the 10,000 realms that were used last', async () => {
    const storage = redisStorage(redis, { prefix })
    const useOthers = (count: number) => {
      for (let n = 0; n < count; n += 1) storage(`other-${n}`)
    }
    const setAfterCreation = async () => {
      await redis.del(setOf('used', 'sessions'))
      await storage('used').sessions.create(session())
      return redis.smembers(setOf('used', 'sessions'))
    }
    expect(await setAfterCreation()).toEqual([personTag('alice')])
    useOthers(9999)
    expect(await setAfterCreation()).toEqual([])
    // It was used last, so that another one makes room.
    storage('one more')
    expect(await setAfterCreation()).toEqual([])
    useOthers(10_000)
    expect(await setAfterCreation()).toEqual([personTag('alice')])
  })
})

it('once the tag is known, an operation on a record of a person is one command', async () => {
  const store = redisStorage(redis, { prefix })('commands')
  const { sessions, grants, consents, revoked_tokens } = store
  // Redis has all scripts, and the tags are known.
  await fillPerson(store, 'alice')
  const operations: Record<string, () => Promise<unknown>> = {
    'sessions.create': () => sessions.create(session({ sid: idOf('s2'), session_hash: idOf('h2') })),
    'sessions.find': () => sessions.find(idOf('h')),
    'sessions.join': () => sessions.join(idOf('s'), 'app'),
    'sessions.list': () => sessions.list('alice'),
    'grants.create': () => grants.create(grant({ grant_id: idOf('g2') }), code(idOf('g2'))),
    'grants.findCode': () => grants.findCode(idOf('g2-code')),
    'grants.redeemCode': () => grants.redeemCode(idOf('g2-code'), redemption(refreshToken(idOf('t3'))), NOW),
    'grants.findRefreshToken': () => grants.findRefreshToken(idOf('t3')),
    'grants.rotateRefreshToken': () => grants.rotateRefreshToken(idOf('t3'), redemption(null), NOW),
    'grants.find': () => grants.find(idOf('g2')),
    'grants.revoke': () => grants.revoke({ grant_id: idOf('g2') }, NOW),
    'grants.list': () => grants.list('alice', NOW),
    'consents.find': () => consents.find('alice', 'app', ['r']),
    'consents.merge': () => consents.merge({ sub: 'alice', client_id: 'app', approved: [] }, NOW),
    'revoked_tokens.add': () => revoked_tokens.add(`${idOf('g')}.k`, LATER),
    'revoked_tokens.has': () => revoked_tokens.has(`${idOf('g')}.k`),
  }
  for (const [name, run] of Object.entries(operations))
    expect(await commandsOf(redis, prefix, run), name).toHaveLength(1)
})
