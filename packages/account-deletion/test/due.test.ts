/** The work in the background: accounts are deleted when their time has come. */

import { upsertUser } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import { browserAt, DAY, pathOf, place, requested } from './_place.js'

describe('the deletion', () => {
  it('comes seven days after the request, of due accounts alone', async () => {
    const p = await place()
    await requested(p, 'ann')
    p.clock.now += DAY
    await requested(p, 'ben')
    p.clock.now += 6 * DAY - 1
    await p.round()
    expect(await p.find('ann')).not.toBeNull()
    p.clock.now += 3600
    await p.round()
    expect(await p.find('ann')).toBeNull()
    expect(await p.find('ben')).not.toBeNull()
    expect(p.failures).toEqual([])
  })

  it('of an account that could not be deleted is tried again, and does not hold up the others', async () => {
    const p = await place()
    await requested(p, 'ann')
    await requested(p, 'ben')
    p.clock.now += 8 * DAY
    const { users } = p
    const remove = users.delete
    const { sub = '' } = (await p.find('ann')) ?? {}
    users.delete = async (one) => {
      if (one === sub) throw new Error('the database does not answer')
      return remove(one)
    }
    await p.round()
    users.delete = remove
    expect(p.failures).toHaveLength(1)
    expect(await p.find('ben')).toBeNull()
    expect((await p.find('ann'))?.disabled_at).not.toBeNull()
    await p.round()
    expect(await p.find('ann')).not.toBeNull()
    p.clock.now += 3600
    await p.round()
    expect(await p.find('ann')).toBeNull()
  })

  it('passes over who is kept by the operator since', async () => {
    const kept: string[] = []
    const p = await place({ keeps: (_, { username }) => kept.includes(username) })
    await requested(p)
    kept.push('ann')
    p.clock.now += 8 * DAY
    await p.round()
    expect(await p.find('ann')).toMatchObject({ disabled_at: null })
  })

  it('is not done for a request that no server has looked at for 97 days: the account stays', async () => {
    const p = await place()
    await requested(p)
    p.clock.now += 97 * DAY - 1
    const b = browserAt(p)
    expect(pathOf(await b.signIn('ann'))).toBe('/login/restore')
    p.clock.now += 1
    expect(pathOf(await b.signIn('ann'))).toBe('/account')
    await p.round()
    expect(await p.find('ann')).toMatchObject({ disabled_at: null })
  })

  it('reads 500 requests at once, all in one round, and begins one in an hour', async () => {
    const p = await place()
    const { now } = p.clock
    for (let n = 1; n <= 501; n++) {
      const { sub } = await upsertUser(p.users, { username: `user ${n}` }, { now: () => now })
      await p.tickets.put({
        ticket_hash: `of ${sub}`,
        purpose: 'delete',
        sub,
        credential_version: 0,
        created_at: now - 7 * DAY,
        expires_at: now + 90 * DAY,
      })
    }
    const pages: number[] = []
    const { tickets } = p
    const list = tickets.list
    tickets.list = async (page) => {
      const found = await list(page)
      pages.push(found.length)
      return found
    }
    await p.round()
    expect(pages).toEqual([500, 1])
    expect(p.failures).toEqual([])
    p.clock.now += 3599
    await p.round()
    expect(pages).toHaveLength(2)
    p.clock.now += 1
    await p.round()
    expect(pages).toEqual([500, 1, 0])
  })

  it('ends with the account that is being deleted when the server stops', async () => {
    const p = await place()
    await requested(p, 'ann')
    await requested(p, 'ben')
    p.clock.now += 8 * DAY
    const remove = p.users.delete
    let stopped: Promise<void> | undefined
    p.users.delete = async (sub) => {
      stopped ??= p.deletion.due.stop()
      return remove(sub)
    }
    await p.round()
    await stopped
    const left = async () => {
      const users = await Promise.all(['ann', 'ben'].map((name) => p.find(name)))
      return users.filter((user) => user !== null)
    }
    expect(await left()).toMatchObject([{ disabled_at: null }])
    p.clock.now += 3600
    await p.round()
    expect(await left()).toHaveLength(1)
  })
})
