/** The operations on roles, which belong to the admin realm. */

import * as z from 'zod'
import { grantableWith } from '../../roles/climbing.js'
import { endFormerLinks } from '../../roles/former-links.js'
import { ROLES, type Role } from '../../roles/rights.js'
import { grantRole, type RolePlace, revokeRole, takeFault } from '../../roles/role-changes.js'
import { type Holder, holderOf, idsOf, type RoleRow } from '../../roles/role-store.js'
import { type Answer, type Call, operation } from '../operation.js'
import { notFound, ProblemError, present } from '../problem.js'
import { NULLABLE, ROLE } from '../schemas.js'

const shownRole = ROLE.extend({ sub: NULLABLE, client_id: NULLABLE })
const givenRole = shownRole.extend({
  changed: z.boolean().describe('false: the holder had it already'),
  ended_links: z.int().describe('Links of the user, for an invitation or a recovery, that work no more'),
})
const listedRole = shownRole.extend({
  stays: z.enum(['beyond', 'last_owner']).nullable().describe('Why the caller cannot take it'),
})
const ONE = '/roles/{kind}/{holder}/{role}'
const WRITES = { area: 'roles', access: 'write', recent: true } as const

const shown = ({ holder, role, realms: named }: RoleRow) => ({ ...idsOf(holder), role, realms: named })

/** @throws ProblemError 404 outside of the admin realm. */
function placeOf({ realm, admin_realm, realms: known, roles, audit, caller }: Call): RolePlace {
  if (realm !== admin_realm) throw notFound()
  return { store: roles, realm, realms: known, audit, by: caller.holder }
}

/** What the address names. @throws ProblemError 404 for another role, or for another kind of holder. */
function named({ params }: Call): { holder: Holder; role: Role } {
  const { kind, holder = '' } = params
  const role = present(ROLES.find((each) => each === params.role))
  if (kind === 'users') return { holder: holderOf({ sub: holder }), role }
  if (kind === 'clients') return { holder: holderOf({ client_id: holder }), role }
  throw notFound()
}

/** @throws ProblemError 404 */
const storedRow = async ({ roles, admin_realm }: Call, { holder, role }: ReturnType<typeof named>) =>
  present((await roles.of(admin_realm, holder)).find((row) => row.role === role))

async function put(call: Call, body: { realms: string[] }): Promise<Answer> {
  const place = placeOf(call)
  const { holder, role } = named(call)
  const { sub, client_id } = idsOf(holder)
  const exists =
    sub === null ? await call.management.clients.find(client_id ?? '') : await call.users.find(sub)
  if (exists === null)
    throw new ProblemError(
      'conflict',
      `There is no ${sub === null ? 'client' : 'user'} with this id in the realm`,
    )
  const is_changed = await grantRole(place, { holder, role, realms: body.realms })
  const row = await storedRow(call, { holder, role })
  if (is_changed) call.emit({ type: 'role.granted', ...shown(row) })
  const ended_links =
    is_changed && sub !== null
      ? await endFormerLinks({ ...place, tickets: (await call.parts()).tickets }, sub)
      : 0
  return { body: { ...shown(row), changed: is_changed, ended_links } }
}

export const ROLE_OPERATIONS = [
  operation({
    id: 'roles.list',
    method: 'GET',
    path: '/roles',
    summary: 'List all roles; there are at most 1,000',
    area: 'roles',
    access: 'read',
    answers: {
      200: z.object({
        items: z.array(listedRole),
        grantable: z.array(ROLE).describe('What the caller may give'),
      }),
    },
    async run(call) {
      const place = placeOf(call)
      const rows = await place.store.list(place.realm)
      const items = rows.map((row) => ({ ...shown(row), stays: takeFault(place, rows, row) }))
      return { body: { items, grantable: grantableWith(call.caller.roles) } }
    },
  }),
  operation({
    id: 'roles.put',
    method: 'PUT',
    path: ONE,
    summary: 'Give a role, or set its realms; `kind` is users or clients, `holder` a sub or a client_id',
    ...WRITES,
    body: z.strictObject({ realms: z.array(z.string().min(1)).min(1) }),
    answers: { 200: givenRole },
    run: (call, { body }) => put(call, body),
  }),
  operation({
    id: 'roles.delete',
    method: 'DELETE',
    path: ONE,
    summary: 'Take a role',
    ...WRITES,
    answers: { 204: null },
    async run(call) {
      const place = placeOf(call)
      const row = await storedRow(call, named(call))
      if (!(await revokeRole(place, row))) throw notFound()
      call.emit({ type: 'role.revoked', ...shown(row) })
      return { status: 204 }
    },
  }),
]
