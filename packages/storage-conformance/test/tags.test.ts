/** The rules store no record whose ids and hashes lack the tag of its person: it would prove nothing about a divided storage. */

import type { IssueGrant, RealmStorage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { expect, it } from 'vitest'
import { elsewhere, newNames } from '../src/ids.js'
import { requireTags, requireTagsOfIssue } from '../src/index.js'
import { code, grant, NOW, redemption, refreshToken, session } from '../src/records.js'

const { id, person } = newNames()
const other = (name: string) => id(name, elsewhere(person()))
const [g, s, t, c] = [id('g'), id('s'), id('t'), id('g-code')]
const raised = { auth_time: NOW, amr: [], acr: null, raised_at: NOW }
const next = (grant_id: string, token_hash: string) => redemption(refreshToken(grant_id, token_hash))
const issue: IssueGrant = requireTagsOfIssue(async () => 'stored')

type Write = (store: RealmStorage) => Promise<unknown>

/** Each write, with an id of another person in it. */
const REFUSED: [name: string, by: string, write: Write][] = [
  [
    'grant_id',
    'create',
    ({ grants }) => grants.create(grant(other('g'), { sub: person(), sid: s }), code(g)),
  ],
  ['sid', 'create', ({ grants }) => grants.create(grant(g, { sid: other('s') }), code(g))],
  ['code_hash', 'create', ({ grants }) => grants.create(grant(g), code(g, { code_hash: other('c') }))],
  ['grant_of_code', 'create', ({ grants }) => grants.create(grant(g), code(other('g'), { code_hash: c }))],
  ['sid', 'issue', () => issue(grant(g, { sid: other('s') }), code(g), null)],
  ['token_hash', 'redeemCode', ({ grants }) => grants.redeemCode(c, next(g, other('t')), NOW)],
  ['grant_id', 'redeemCode', ({ grants }) => grants.redeemCode(c, next(other('g'), t), NOW)],
  [
    'token_hash',
    'rotateRefreshToken',
    ({ grants }) => grants.rotateRefreshToken(t, next(g, other('t')), NOW),
  ],
  ['grant_id', 'rotateRefreshToken', ({ grants }) => grants.rotateRefreshToken(t, next(other('g'), t), NOW)],
  [
    'sid',
    'create',
    ({ sessions }) => sessions.create(session(other('s'), { sub: person(), session_hash: t })),
  ],
  ['session_hash', 'create', ({ sessions }) => sessions.create(session(s, { session_hash: other('h') }))],
  ['session_hash', 'raise', ({ sessions }) => sessions.raise(s, { ...raised, session_hash: other('h') }, t)],
]

it.each(REFUSED)('a %s with the tag of another person is refused by %s', async (name, _, write) => {
  const store = requireTags(memoryStorage()('default'))
  await expect(write(store)).rejects.toThrow(
    new RegExp(`^${name} ".*" does not end with the tag of its person`),
  )
  expect([await store.grants.find(g), await store.sessions.list(person())]).toEqual([null, []])
})

it('records with the tag of their person are stored, and a grant without a session', async () => {
  const { grants, sessions } = requireTags(memoryStorage()('default'))
  await sessions.create(session(s))
  expect(await sessions.raise(s, { ...raised, session_hash: t }, id('s-hash'))).toBe(true)
  await grants.create(grant(g, { sid: '' }), code(g))
  expect(await grants.redeemCode(c, next(g, t), NOW)).toBe(true)
  expect(await grants.rotateRefreshToken(t, next(g, id('t2')), NOW)).toBe(true)
  expect(await grants.rotateRefreshToken(id('t2'), redemption(null), NOW)).toBe(true)
  expect(await issue(grant(g), code(g), null)).toBe('stored')
})
