/** The forms that give a role, and take it. */

import { actPage, apiPath, type Field, linesIn } from '@ostiary/console'
import { bodyOf, common, doneAt } from '../acts.js'
import type { OwnVisit } from '../visit.js'
import { holderPath, type ListedRole, nameOf, type Role, type ShownRole } from './role.js'

type Holder = Pick<ShownRole, 'sub' | 'client_id'>

/** The user or the client as a word of a command. */
const commandOf = (name: string, holder: Holder, role: Role) => ({
  name,
  args: [holder.sub ?? holder.client_id ?? '', role],
  options: [[holder.sub === null ? 'client' : 'sub', null] as const],
})

const rolePath = (c: OwnVisit, holder: Holder, role: Role): string =>
  apiPath(c, 'roles', ...holderPath(holder), role)

export async function grantPage(
  c: OwnVisit,
  { role, realms }: Pick<ShownRole, 'role' | 'realms'>,
): Promise<Response> {
  const { html, text } = c
  const all = realms.includes('*') ? text('role.all_realms') : realms.join(', ')
  const holder = await typedHolder(c)
  const fields: Field[] = [
    {
      name: 'holder',
      label: text('grant.holder'),
      hint: text('grant.holder_hint'),
      required: true,
      max_length: 1024,
    },
    { name: 'is_client', label: text('grant.is_client'), kind: 'checkbox' },
    {
      name: 'realms',
      label: text('role.realms'),
      hint: text('grant.realms_hint', { all }),
      kind: 'lines',
      pointers: ['/realms'],
    },
  ]
  return actPage(c, {
    ...common(c, 'roles'),
    title: `${text('grant.title')}: ${role}`,
    intro: html`<p>${text(`role.${role}`)}</p>`,
    fields,
    button: text('grant.button'),
    deed(value) {
      const typed = linesIn(value('realms'))
      const named = typed.length === 0 ? realms : typed
      const { options, ...command } = commandOf('admin roles grant', holder, role)
      const only = named.includes('*') ? [] : named.map((realm) => ['in', realm] as const)
      return {
        call: {
          method: 'PUT',
          path: rolePath(c, holder, role),
          body: { realms: named },
        },
        commands: [{ ...command, options: [...options, ...only] }],
      }
    },
    done: doneAt(c, 'roles', 'role_granted'),
  })
}

/** The user with the typed name, or the client. A name that no user has is taken for a `sub`: the API says that there is none. */
async function typedHolder(c: OwnVisit): Promise<Holder> {
  const typed = (c.form.get('holder') ?? '').trim()
  if (c.form.get('is_client') === '1') return { sub: null, client_id: typed }
  if (typed === '') return { sub: typed, client_id: null }
  const found = (await bodyOf(c, apiPath(c, 'users'), { username: typed })) as {
    items: { sub: string }[]
  } | null
  return { sub: found?.items[0]?.sub ?? typed, client_id: null }
}

export async function revokePage(c: OwnVisit, row: ListedRole): Promise<Response> {
  const { html, text } = c
  const { role } = row
  const name = await nameOf(c, row)
  return actPage(c, {
    ...common(c, 'roles'),
    title: text('take.title'),
    intro: html`<p><bdi>${name}</bdi>: ${role}</p><p>${text('take.lead')}</p>`,
    refused: row.stays && html`<p class="note done">${text(`stays.${row.stays}`)}</p>`,
    button: text('take.button'),
    destroys: true,
    shows_effects: true,
    confirm: name,
    deed: () => ({
      call: { method: 'DELETE', path: rolePath(c, row, role) },
      commands: [commandOf('admin roles revoke', row, role)],
    }),
    done: doneAt(c, 'roles', 'role_revoked'),
  })
}
