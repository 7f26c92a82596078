/** Users by the beginning of their names, and by the address with which they sign in. */

import { rangedExecutor } from '@ostiary/storage-postgres'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { searchUsers } from '../../src/api/operations/user-search.ts'
import { MAX_LOOKED_AT } from '../../src/api/page.ts'
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
    // All of the realm: also those who administer it.
    const all = await names('username_prefix=')
    expect(all.filter((name: string) => /^(?:e|bob)/i.test(name))).toEqual([
      'bob',
      'ev%',
      'ev_',
      'eva',
      'eve',
      'Evelyn',
    ])
    expect(all.length).toBeGreaterThan(6)
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

  it('users are found by group and by the time of their creation, in pages', async () => {
    const place = await open()
    const put = (sub: string, groups: string[] | null) =>
      place.ann(`PUT /realms/acme/users/${sub}`, { username: sub, groups })
    await put('g-1', ['staff', 'night'])
    await put('g-2', ['staffing'])
    await put('g-3', null)
    await put('g-4', ['staff'])
    const subs = async (query: string) =>
      (await place.sue(`${LIST}?${query}`)).body.items.map(({ sub }: { sub: string }) => sub)
    expect(await subs('group=staff')).toEqual(['g-1', 'g-4'])
    expect(await subs('group=night')).toEqual(['g-1'])
    expect(await subs('group=none')).toEqual([])
    const { created_at } = (await place.sue('GET /realms/acme/users/g-1')).body
    expect(await subs(`created_after=${created_at - 1}&group=staff`)).toEqual(['g-1', 'g-4'])
    expect(await subs(`created_after=${created_at + 1000}`)).toEqual([])
    expect(await subs(`created_after=${created_at + 1000}&group=staff`)).toEqual([])

    const first = (await place.sue(`${LIST}?group=staff&limit=1`)).body
    expect(first.items).toMatchObject([{ sub: 'g-1' }])
    const second = (await place.sue(`${LIST}?group=staff&limit=1&cursor=${first.next}`)).body
    expect(second).toMatchObject({ items: [{ sub: 'g-4' }], next: null })
    for (const other of ['group=night', 'group=staff&created_after=1', 'limit=1'])
      expect(await place.sue(`${LIST}?${other}&cursor=${first.next}`)).toMatchObject(
        problem('invalid_cursor', 400),
      )
    // No hash, and no key that only the server compares.
    expect(JSON.stringify(first)).not.toMatch(/password_hash|username_key/)
  })

  it.each([
    'group=',
    'group=a&username=ann',
    'group=a&address=a',
    'created_after=1&username_prefix=a',
    'created_after=-1',
    'created_after=12345678901',
    'created_after=now',
  ])('?%s is refused', async (query) => {
    const place = await open()
    expect(await place.sue(`${LIST}?${query}`)).toMatchObject(problem('invalid_request', 400))
  })

  it('users are found by their subs, each once, at most a hundred, in the realm alone', async () => {
    const place = await open()
    for (const sub of ['eva-1', 'eve-1', 'bob-1'])
      await place.ann(`PUT /realms/acme/users/${sub}`, { username: sub.toUpperCase() })
    await place.addUser('everyone', {}, 'other')
    const subs = async (text: string) => {
      const { status, body } = await place.sue(`${LIST}?sub=${encodeURIComponent(text)}`)
      expect([status, body.next]).toEqual([200, null])
      return body.items.map(({ sub }: { sub: string }) => sub)
    }
    expect(await subs('eve-1 nothing bob-1 eve-1 everyone')).toEqual(['eve-1', 'bob-1'])
    expect(await subs('')).toEqual([])
    const { body } = await place.sue(`${LIST}?sub=eva-1`)
    expect(body.items).toEqual([expect.objectContaining({ sub: 'eva-1', username: 'EVA-1' })])
    expect(JSON.stringify(body)).not.toMatch(/password_hash|username_key/)
    const many = Array.from({ length: 101 }, (_other, n) => `s-${n}`)
    expect(await subs(['bob-1', ...many.slice(2)].join(' '))).toEqual(['bob-1'])
    expect(await place.sue(`${LIST}?sub=${many.join('+')}`)).toMatchObject({
      ...problem('invalid_request', 400),
      body: { errors: [{ pointer: '?sub', message: 'give at most 100' }] },
    })
  })

  it('clients are found by their ids, each once, at most a hundred', async () => {
    const place = await open()
    const LISTED = 'GET /realms/acme/clients'
    for (const client_id of ['made', 'other'])
      await place.ann(`PUT /realms/acme/clients/${client_id}`, {
        client_name: client_id.toUpperCase(),
        redirect_uris: ['https://made.example.com/cb'],
      })
    const { status, body } = await place.ann(`${LISTED}?client_id=other+nothing+made+other`)
    expect([status, body.next]).toEqual([200, null])
    expect(body.items.map(({ client_name }: { client_name: string }) => client_name)).toEqual([
      'OTHER',
      'MADE',
    ])
    expect(JSON.stringify(body)).not.toContain('client_secret')
    const many = Array.from({ length: 101 }, (_other, n) => `c-${n}`)
    for (const query of [`client_id=${many.join('+')}`, 'client_id=made&origin=operator'])
      expect(await place.ann(`${LISTED}?${query}`)).toMatchObject(problem('invalid_request', 400))
    expect((await place.ann(`${LISTED}?client_id=${many.slice(1).join('+')}`)).body.items).toEqual([])
  })

  it('one filter is given', async () => {
    const place = await open()
    for (const query of [
      'sub=ann&username=ann',
      'sub=ann&group=a',
      'username=ann&username_prefix=a',
      'username=ann&address=a',
      'username=ann&username_prefix=',
    ])
      expect(await place.sue(`${LIST}?${query}`)).toMatchObject(problem('invalid_request', 400))
  })
})

it.each([
  [MAX_LOOKED_AT - 1, []],
  // The last user that a page looks at, and the first one that it does not.
  [MAX_LOOKED_AT, [MAX_LOOKED_AT - 1]],
  [MAX_LOOKED_AT + 1, [MAX_LOOKED_AT - 1]],
])(
  'of %i users, a page looks at as many as it may, and says where the next one begins',
  async (count, next) => {
    const users = Array.from({ length: count }, (_, n) => ({
      sub: String(n).padStart(5, '0'),
      created_at: 1,
      groups: n >= MAX_LOOKED_AT - 1 ? ['late'] : null,
    }))
    const call = {
      realm: 'acme',
      users: {
        list: async ({ after = '', limit }: { after?: string; limit: number }) =>
          users.filter(({ sub }) => sub > after).slice(0, limit),
      },
      cursor: { write: (_place: unknown, id: string) => id, read: (_place: unknown, id: string) => id },
    }
    const page = await searchUsers(call as never, { group: 'late', limit: 10 })
    const late = users.slice(MAX_LOOKED_AT - 1, MAX_LOOKED_AT)
    expect(page).toEqual({ items: late, next: next.map((n) => users[n]?.sub)[0] ?? null })
    const rest = page?.next
      ? await searchUsers(call as never, { group: 'late', limit: 10, cursor: page.next })
      : null
    expect(rest?.items ?? []).toEqual(users.slice(MAX_LOOKED_AT))
  },
)

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

it('a hundred users or clients that are named are found by two statements', async () => {
  const executor = await database()
  const place = await staffed({ executor })
  const call = { realm: 'acme', users: place.people.users('acme') }
  const query = vi.spyOn(executor, 'query')
  const sub = Array.from({ length: 100 }, (_, n) => `sub-${n}`)
  await searchUsers(call as never, { sub, limit: 50 })
  expect(query.mock.calls.filter(([text]) => text.includes('oidc_users'))).toHaveLength(2)
  query.mockClear()
  await place.ann(`GET /realms/acme/clients?client_id=${sub.join('+')}`)
  expect(query.mock.calls.filter(([text]) => text.includes('from oidc_clients'))).toHaveLength(2)
  query.mockRestore()
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
