/** What the forms of a user have in common. */

import type { Html } from '@ostiary/identity'
import { ofRole, protectionNote } from '../pages/protection.js'
import { pathOf } from '../paths.js'
import type { OwnVisit } from '../visit.js'
import type { ReadUser, ShownUser } from './user.js'

export const named = ({ html }: OwnVisit, { username }: ShownUser) => html`<bdi>${username}</bdi>`

/** A form that changes what is set of the user. */
export const common = (c: OwnVisit, { sub, protection }: Pick<ReadUser, 'sub' | 'protection'>) =>
  ({ area: 'users', back: pathOf(c, 'users', sub), refused: protectionNote(c, protection) }) as const

/** A form for what the configuration does not set. */
export const ofAccess: typeof common = (c, { sub, protection }) =>
  common(c, { sub, protection: ofRole(protection) })

export const doneAt =
  (c: OwnVisit, { sub }: ShownUser, done: string) =>
  () =>
    `${pathOf(c, 'users', sub)}?done=${done}`

/** In the row of a list: leads to the form that ends what the row is about. */
export const endLink = (
  { html }: OwnVisit,
  { href, act, label }: { href: string; act: string; label: string },
): Html => html`<a class="nowrap" href="${href}" aria-label="${`${act}: ${label}`}">${act}</a>`
