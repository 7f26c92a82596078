/** Users by the beginning of their names, and by the address with which they sign in. */

import { rangedExecutor } from '@ostiary/storage-postgres'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { searchUsers } from '../../src/api/operations/user-search.ts'
import { database, problem, STORAGES, staffed } from './_storages.ts'

const LIST = 'GET /realms/acme/users'

describe.each(STORAGES)('%s', (_, open) => {
  it('users are found by the beginning of the name, in pages, in the realm alone', async () => {
    const place = await open()
    for (const name of ['eva', 'eve', 'Evelyn', 'ev%', 'ev_', 'bob'])
      await place.ann(`PUT /realms/acme/users/sub-of-${name.replace('%', 'p')}`, { username: name })
    await place.addUser('everyone', {}, 'other')
    const names = async (query: string) => {
      const { status, body } = await place.sue(`${LIST}?${query}`)
      expect(status).toBe(200)
      return body.items.map(({ username }: { username: string }) => username)
    }
    expect(await names('username_prefix=ev')).toEqual(['ev%', 'ev_', 'eva', 'eve', 'Evelyn'])
    expect(await names('username_prefix=EVE')).toEqual(['eve', 'Evelyn'])
    expect(await names('username_prefix=ev%25')).toEqual(['ev%'])
    expect(await names('username_prefix=ev_')).toEqual(['ev_'])
    expect(await names('username_prefix=zz')).toEqual([])
    expect(await names('username_prefix=%20')).toEqual([])
    const pages: string[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await place.sue(`${LIST}?username_prefix=ev&limit=2${more}`)
      pages.push(body.items.map(({ username }: { username: string }) => username))
      cursor = body.next
      if (cursor !== null) {
        const other = await place.sue(`${LIST}?username_prefix=eve&limit=2&cursor=${cursor}`)
        expect(other).toMatchObject(problem('invalid_cursor', 400))
        expect(await place.sue(`${LIST}?cursor=${cursor}`)).toMatchObject(problem('invalid_cursor', 400))
      }
    }
    expect(pages).toEqual([['ev%', 'ev_'], ['eva', 'eve'], ['Evelyn']])
    // No hash, and no key that only the server compares.
    const { body } = await place.sue(`${LIST}?username_prefix=eve`)
    expect(JSON.stringify(body)).not.toMatch(/password_hash|username_key/)
  })

  it('the user who signs in with an address is found, and one who shares it is not', async () => {
    const place = await open()
    const put = (sub: string, claims: object) =>
      place.ann(`PUT /realms/acme/users/${sub}`, { username: sub, claims })
    await put('eve', { email: 'Eve@Example.com', email_verified: true })
    await put('new', { email: 'new@example.com' })
    const subs = async (address: string) =>
      (await place.sue(`${LIST}?address=${address}`)).body.items.map(({ sub }: { sub: string }) => sub)
    expect(await subs('eve@example.COM')).toEqual(['eve'])
    expect(await subs('new@example.com')).toEqual([])
    expect(await subs('nothing')).toEqual([])
    await put('two', { email: 'eve@example.com', email_verified: true })
    expect(await subs('eve@example.com')).toEqual([])
  })

  it('one filter is given', async () => {
    const place = await open()
    for (const query of ['username=ann&username_prefix=a', 'username=ann&address=a', 'username_prefix='])
      expect(await place.sue(`${LIST}?${query}`)).toMatchObject(problem('invalid_request', 400))
  })
})

it('an address is no filter where users do not sign in with one', async () => {
  const place = await staffed({ bare: true })
  expect(await place.sue(`${LIST}?address=a%40example.com`)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '?address', message: expect.stringContaining('identity.sign_in_with') }] },
  })
})

it('a divided database has no list of all names', async () => {
  const executor = rangedExecutor(await migratedDatabase(), { shards: 1 })
  onTestFinished(() => executor.close())
  const place = await staffed({ executor })
  expect(await place.sue(`${LIST}?username_prefix=a`)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '?username_prefix', message: expect.stringContaining('username') }] },
  })
  expect((await place.sue(`${LIST}?username=ann`)).body.items).toMatchObject([{ sub: 'ann' }])
})

it('the beginning of a name is a range of an index', async () => {
  const executor = await database()
  const place = await staffed({ executor })
  await executor.query(`insert into oidc_usernames (realm, bucket, username_key, sub)
    select 'acme', n % 4096, 'name-' || n, 'sub-' || n from generate_series(1, 20000) as n`)
  await executor.query('analyze oidc_usernames')
  const statements: string[] = []
  const watched = {
    query: async <T>(text: string, params: readonly (string | number | boolean | null)[] = []) => {
      const plan = await executor.query<object>(`explain (format json) ${text}`, params)
      statements.push(JSON.stringify(plan))
      return executor.query<T>(text, params)
    },
  }
  const call = {
    realm: 'acme',
    users: place.people.users('acme'),
    identity: { usernameKey: (text: string) => text },
    cursor: { write: () => 'next', read: () => '' },
    parts: async () => ({ records: watched }),
  }
  const found = await searchUsers(call as never, { username_prefix: 'name-19', limit: 10 })
  // These names have no users, and are passed over.
  expect(found).toEqual({ items: [], next: 'next' })
  expect(statements).toHaveLength(1)
  expect(statements[0]).toContain('oidc_usernames_pkey')
  expect(statements[0]).not.toMatch(/Seq Scan|"Sort"/)
})
