/** Advice that names a command: the page that does the same, or who may do it. */

import type { Html } from '@ostiary/identity'
import { pathOf } from '../paths.js'
import { textOf } from '../texts/texts.js'
import { translated } from '../texts/texts-of.js'
import type { Area, Visit } from '../visit.js'

/** What the advice is about; null for nothing. */
export interface Advised {
  sub?: string | null
  client_id?: string | null
}

interface Place {
  /** Of the navigation. */
  area: string
  /** The right that it needs, and the roles that have it. */
  right: Area
  roles: string
  /** What its page does. */
  commands: readonly string[]
}

const PLACES: readonly Place[] = [
  {
    area: 'users',
    right: 'users',
    roles: 'support, manager, owner',
    commands: [
      'user create',
      'user update',
      'user enable',
      'user set-password',
      'user recovery-link',
      'user invite',
      'throttle reset',
      'consent list',
    ],
  },
  {
    area: 'clients',
    right: 'clients',
    roles: 'manager, owner',
    commands: ['client create', 'client list', 'client update', 'client rotate-secret'],
  },
  { area: 'keys', right: 'keys', roles: 'owner', commands: ['keys list', 'keys revoke'] },
  { area: 'mail', right: 'realms', roles: 'owner', commands: ['mail test'] },
]

/** The place of the first command that a sentence names; undefined for none. */
export const placeOf = (advice: string): Place | undefined =>
  PLACES.find(({ commands }) => commands.some((name) => advice.includes(name)))

/** Below the advice, which is in English. */
export function adviceLink(c: Visit, advice: string, { sub, client_id }: Advised = {}): Html | false {
  const { html, language } = c
  const place = placeOf(advice)
  if (place === undefined) return false
  const text = textOf(c)
  const { area: name, right, roles } = place
  const area = c.areas.find((each) => each.name === name)
  if (area?.title === undefined || !c.may(right, 'write'))
    return html`<small lang="${language}">${text('advice.roles', { roles })}</small>`
  const id = { users: sub, clients: client_id }[name]
  const href = pathOf(c, name, ...(id ? [id] : []))
  return html`<small lang="${language}">${text('advice.here')} <a href="${href}">${translated(area.title, language)}</a></small>`
}
