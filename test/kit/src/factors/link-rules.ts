/** The rules of identity's LinkStore, as tests. */

import type { Link, LinkStore, Links, Users } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userRecord as user } from '../user-rules.ts'

const NOW = 1_700_000_100
const CALLERS = 20

export interface LinkPlace {
  users: Users
  links: Links
  close(): Promise<void>
}

export const linkRecord = (sub: string, changes: Partial<Link> = {}): Link => ({
  issuer: 'https://accounts.google.com',
  subject: '110169484474386276334',
  upstream: 'google',
  sub,
  label: 'ada@corp.example',
  linked_at: NOW,
  last_used_at: null,
  ...changes,
})

/** Tests the rules of identity's LinkStore on one implementation. */
export function linkRules(name: string, open: () => Promise<LinkPlace>): void {
  describe(name, () => {
    let place: LinkPlace
    let realms = 0
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    /** The stores of a new realm with the users ann and bob. */
    const fresh = async () => {
      realms += 1
      const realm = `links-${realms}`
      const users = place.users(realm)
      for (const sub of ['ann', 'bob']) expect(await users.create(user(sub))).toBe(true)
      return { links: place.links(realm), users }
    }
    reads(fresh, () => place.links('another realm'))
    writes(fresh)
    races(fresh)
  })
}

type Fresh = () => Promise<{ links: LinkStore; users: ReturnType<Users> }>
const at = (credential_version: number) => ({ credential_version, now: NOW })
const OTHER = { issuer: 'https://github.com', subject: '583231' }

function reads(fresh: Fresh, elsewhere: () => LinkStore): void {
  it('finds a link by issuer and subject, and lists those of a user, the oldest first', async () => {
    const { links } = await fresh()
    const late = linkRecord('ann', { linked_at: NOW + 1 })
    const old = linkRecord('ann', { ...OTHER, upstream: 'github' })
    expect(await links.add(late, at(0))).toBe(true)
    expect(await links.add(old, at(1))).toBe(true)
    expect(await links.find(late.issuer, late.subject)).toEqual(late)
    expect(await links.find(OTHER.issuer, OTHER.subject)).toEqual(old)
    expect(await links.list('ann')).toEqual([old, late])
    expect(await links.list('bob')).toEqual([])
    for (const [issuer, subject] of [
      [late.issuer, OTHER.subject],
      [OTHER.issuer, late.subject],
      [`${late.issuer}/`, late.subject],
      [late.issuer, ''],
    ] as const)
      expect(await links.find(issuer, subject)).toBeNull()
    expect(await elsewhere().find(late.issuer, late.subject)).toBeNull()
    expect(await elsewhere().list('ann')).toEqual([])
  })

  it('keeps issuer and subject apart', async () => {
    const { links } = await fresh()
    expect(await links.add(linkRecord('ann', { issuer: 'a', subject: 'bc' }), at(0))).toBe(true)
    expect(await links.find('ab', 'c')).toBeNull()
    expect(await links.add(linkRecord('bob', { issuer: 'ab', subject: 'c' }), at(0))).toBe(true)
  })

  it('sets the time of the last use, and leaves the user', async () => {
    const { links, users } = await fresh()
    const link = linkRecord('ann')
    await links.add(link, at(0))
    await links.use({ ...link, sub: 'bob' }, NOW + 8)
    expect(await links.find(link.issuer, link.subject)).toEqual(link)
    await links.use(link, NOW + 9)
    expect(await links.find(link.issuer, link.subject)).toEqual({ ...link, last_used_at: NOW + 9 })
    expect((await users.find('ann'))?.credential_version).toBe(1)
  })

  it('keeps no object of a caller', async () => {
    const { links } = await fresh()
    const link = linkRecord('ann')
    const given = { ...link }
    await links.add(given, at(0))
    given.sub = 'bob'
    const read = await links.find(link.issuer, link.subject)
    if (read) read.sub = 'bob'
    expect(await links.list('ann')).toEqual([link])
  })
}

function writes(fresh: Fresh): void {
  it('adds a link for the expected version of the user, which is one more then', async () => {
    const { links, users } = await fresh()
    const before = await users.find('ann')
    const link = linkRecord('ann')
    expect(await links.add(link, at(1))).toBe(false)
    expect(await links.add(linkRecord('cem'), at(0))).toBe(false)
    expect([await links.list('ann'), await users.find('ann')]).toEqual([[], before])
    expect(await links.add(link, at(0))).toBe(true)
    const after = await users.find('ann')
    expect(after).toEqual({ ...before, credential_version: 1, updated_at: after?.updated_at })
    expect(after?.updated_at).toBeGreaterThan(before?.updated_at ?? 0)
  })

  it('an account elsewhere is linked once, to one user', async () => {
    const { links, users } = await fresh()
    const link = linkRecord('ann')
    await links.add(link, at(0))
    expect(await links.add(linkRecord('bob'), at(0))).toBe(false)
    expect(await links.add({ ...link, label: 'again' }, at(1))).toBe(false)
    expect((await users.find('bob'))?.credential_version).toBe(0)
    expect(await links.list('bob')).toEqual([])
    expect(await links.find(link.issuer, link.subject)).toEqual(link)
  })

  it('a link that was not added leaves its account free', async () => {
    const { links } = await fresh()
    expect(await links.add(linkRecord('ann'), at(7))).toBe(false)
    expect(await links.add(linkRecord('bob'), at(0))).toBe(true)
  })

  it('removes the link of this user for the expected version; then another user may have it', async () => {
    const { links, users } = await fresh()
    const link = linkRecord('ann')
    await links.add(link, at(0))
    expect(await links.remove(link, at(0))).toBe(false)
    expect(await links.remove({ ...link, sub: 'bob' }, at(0))).toBe(false)
    expect(await links.remove({ ...link, ...OTHER }, at(1))).toBe(false)
    expect(await links.list('ann')).toEqual([link])
    expect(await links.remove(link, at(1))).toBe(true)
    expect(await links.remove(link, at(2))).toBe(false)
    expect((await users.find('ann'))?.credential_version).toBe(2)
    expect([await links.list('ann'), await links.find(link.issuer, link.subject)]).toEqual([[], null])
    expect(await links.add(linkRecord('bob'), at(0))).toBe(true)
    expect(await links.add(link, at(2))).toBe(false)
  })

  it('the deletion of a user deletes the links of that user alone, and frees them', async () => {
    const { links, users } = await fresh()
    const link = linkRecord('ann')
    await links.add(link, at(0))
    await links.add(linkRecord('bob', OTHER), at(0))
    expect(await users.delete('ann')).toBe(true)
    expect([await links.list('ann'), await links.find(link.issuer, link.subject)]).toEqual([[], null])
    expect(await links.list('bob')).toHaveLength(1)
    expect(await links.add(linkRecord('bob'), at(1))).toBe(true)
  })
}

function races(fresh: Fresh): void {
  it(`of ${CALLERS} callers that add a link, of two users, one gets true`, async () => {
    const { links } = await fresh()
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, i) => links.add(linkRecord(i % 2 ? 'ann' : 'bob'), at(0))),
    )
    const { issuer, subject } = linkRecord('ann')
    expect(answers.filter((answer) => answer)).toHaveLength(1)
    const sub = answers.indexOf(true) % 2 ? 'ann' : 'bob'
    expect(await links.find(issuer, subject)).toEqual(linkRecord(sub))
    expect(await links.list(sub === 'ann' ? 'bob' : 'ann')).toEqual([])
  })

  it(`of ${CALLERS} callers that remove a link, one gets true`, async () => {
    const { links } = await fresh()
    const link = linkRecord('ann')
    await links.add(link, at(0))
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => links.remove(link, at(1))))
    expect(answers.filter((answer) => answer)).toHaveLength(1)
  })
}
