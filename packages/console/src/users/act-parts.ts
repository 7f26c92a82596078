/** What the forms of a user have in common. */

import type { Html } from '@ostiary/identity'
import { pathOf } from '../paths.js'
import type { OwnVisit } from '../visit.js'
import type { ShownUser } from './user.js'

export const named = ({ html }: OwnVisit, { username }: ShownUser) => html`<bdi>${username}</bdi>`

export const common = (c: OwnVisit, { sub }: ShownUser) =>
  ({ area: 'users', back: pathOf(c, 'users', sub) }) as const

export const doneAt =
  (c: OwnVisit, { sub }: ShownUser, done: string) =>
  () =>
    `${pathOf(c, 'users', sub)}?done=${done}`

/** In the row of a list: leads to the form that ends what the row is about. */
export const endLink = (
  { html }: OwnVisit,
  { href, act, label }: { href: string; act: string; label: string },
): Html => html`<a class="nowrap" href="${href}" aria-label="${`${act}: ${label}`}">${act}</a>`
