/** `POST audit/{audit_id}/undo`: who may, what stands against it, and its rows. */

import { expect, it } from 'vitest'
import { adminPlace } from './_place.ts'
import { problem, staffed } from './_storages.ts'
import { changeRow } from './_ways.ts'

const UNDO = (id: string) => `POST /realms/acme/audit/${id}/undo`

it('sets a change back as the command does, with its rows', async () => {
  const place = await staffed()
  const users = place.people.users('acme')
  await place.addUser('bob')
  await place.rows.put([changeRow('acme', 'row-1')])
  const { status, body, headers } = await place.ann(UNDO('row-1'))
  expect([status, body]).toEqual([
    200,
    {
      audit_id: 'row-1',
      sub: 'bob',
      username: 'bob',
      changed: [{ member: 'groups.staff', from: null, to: true }],
    },
  ])
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await users.find('bob'))?.groups).toEqual(['staff'])
  const rows = (await place.changes()).filter(({ audit_id }) => audit_id !== 'row-1')
  expect(rows).toMatchObject([
    { type: 'audit.undo', outcome: 'done', actor: 'sub:ann', sub: 'bob' },
    { type: 'user.update', outcome: 'done', actor: 'sub:ann', sub: 'bob' },
  ])
  expect(JSON.parse(rows[0]?.data ?? '')).toMatchObject({ undone: 'row-1' })
  // A second time there is nothing to set back, and no further row.
  expect((await place.ann(UNDO('row-1'))).body).toMatchObject({ changed: [] })
  expect(await place.changes()).toHaveLength(3)
})

it('what has changed since is listed, and stays', async () => {
  const place = await staffed()
  await place.addUser('bob', { groups: ['other'], username: 'Bob' })
  const change = {
    data: '{"fields":["username"]}',
    private: '{"before":{"username":"old"},"after":{"username":"new"}}',
  }
  await place.rows.put([changeRow('acme', 'row-1', change)])
  const answer = await place.ann(UNDO('row-1'))
  expect(answer).toMatchObject(problem('conflict', 409))
  expect(answer.body.detail).toMatch(
    /^user Bob has changed since, so nothing is undone:\nusername is Bob now$/,
  )
  expect((await place.people.users('acme').find('bob'))?.username).toBe('Bob')
})

it.each([
  ['an event', { type: 'login.refused' }, [409, /it is an event/]],
  ['a deletion', { type: 'user.delete' }, [409, /never used again/]],
  ['a change that was not made', { outcome: 'failed' }, [409, /was not made/]],
  ['a user who is gone', { sub: 'gone' }, [404, /There is no user/]],
] as const)('%s is refused in words', async (_, more, [status, words]) => {
  const place = await staffed()
  await place.addUser('bob')
  await place.rows.put([changeRow('acme', 'row-1', more)])
  const answer = await place.ann(UNDO('row-1'))
  expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(words)])
})

it('a row of another realm, and one that is nowhere, is not there', async () => {
  const place = await staffed()
  await place.rows.put([changeRow('other', 'row-1')])
  for (const id of ['row-1', 'none']) expect((await place.ann(UNDO(id))).status).toBe(404)
})

it('the owner of one realm does not change who holds a role in all of them', async () => {
  const place = await adminPlace()
  await place.addUser('bob')
  await place.give('sub:bob', 'owner', '*')
  const { access_token } = await place.signIn('ann')
  await place.give('sub:ann', 'owner', 'acme')
  const disabled = {
    data: '{"fields":["disabled_at"]}',
    private: '{"before":{"disabled_at":1},"after":{}}',
  }
  await place.rows.put([changeRow('acme', 'row-1', disabled)])
  for (const search of ['', '?dry_run=true']) {
    const answer = await place.call(access_token, UNDO('row-1') + search)
    expect(answer).toMatchObject(problem('forbidden', 403))
  }
  expect((await place.people.users('acme').find('bob'))?.disabled_at).toBeNull()
  expect(await place.attempts()).toMatchObject([{ actor: 'sub:ann' }, { actor: 'sub:ann' }])
})

it('without an audit there is nothing to undo, and nothing is known', async () => {
  const place = await adminPlace({ bare: true })
  const { access_token } = await place.signIn('ann')
  await place.give('sub:ann', 'owner', '*')
  for (const line of [UNDO('row-1'), 'GET /realms/acme/audit-coverage']) {
    const { status, body } = await place.call(access_token, line)
    expect([status, body.detail]).toEqual([404, 'audit.enabled is false: nothing is kept'])
  }
})
