/** `GET users/{sub}/export`: what the command `user export` prints, for who may read the audit and users. */

import { expect, it } from 'vitest'
import { adminPlace } from './_place.ts'
import { problem } from './_storages.ts'
import { auditRow, factor, withWays } from './_ways.ts'

const EXPORT = 'GET /realms/acme/users/bob/export'

it('has what is stored about the user, and no secret', async () => {
  const place = await adminPlace()
  await place.addUser('bob', { password_hash: 'the-password-hash' })
  await withWays(place, { realm: 'acme', sub: 'bob' }, { factors: [factor('bob')] })
  await place.rows.put([auditRow('acme', 'row-1'), auditRow('acme', 'row-2', { sub: 'eve' })])
  await place.give('sub:bob', 'support', 'acme')
  const { access_token } = await place.signIn('ann')
  await place.give('sub:ann', 'auditor', 'acme')
  const { status, body, headers } = await place.call(access_token, EXPORT)
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body).toMatchObject({
    format: 'ostiary.personal-data/1',
    realm: 'acme',
    user: { sub: 'bob', has_password: true },
    factors: [{ kind: 'totp' }],
    roles: [{ role: 'support', realms: ['acme'] }],
    audit: [{ audit_id: 'row-1' }],
  })
  expect(JSON.stringify(body)).not.toMatch(/the-password-hash|secret/)
  expect(await place.changes()).toContainEqual(
    expect.objectContaining({ type: 'user.export', outcome: 'done', actor: 'sub:ann', sub: 'bob' }),
  )
  const nobody = await place.call(access_token, 'GET /realms/acme/users/none/export')
  expect(nobody).toMatchObject(problem('not_found', 404))
})

it('needs both scopes, and a role that reads the audit', async () => {
  const place = await adminPlace()
  await place.addUser('bob')
  const { access_token } = await place.signIn('ann')
  await place.give('sub:ann', 'support', 'acme')
  expect((await place.call(access_token, EXPORT)).status).toBe(404)
  await place.give('sub:ann', 'auditor', 'acme')
  for (const scope of ['admin.audit:read', 'admin.users:read']) {
    const { access_token: narrow } = await place.signInAgain('ann', { scope })
    expect(await place.call(narrow, EXPORT)).toMatchObject(problem('insufficient_scope', 403))
  }
})
