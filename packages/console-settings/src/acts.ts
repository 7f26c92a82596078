/** What the forms of keys and of roles have in common, and a read of the API. */

import { type ApiCall, pathOf, problemOf } from '@ostiary/console'
import type { OwnVisit } from './visit.js'

/** Of a form that needs a sign-in of the last minutes. */
export const common = (c: OwnVisit, area: string) =>
  ({ area, back: pathOf(c, area), needs_fresh: true }) as const

/** The list, which says what is done. */
export const doneAt = (c: OwnVisit, area: string, done: string) => () => `${pathOf(c, area)}?done=${done}`

/** What the API answers to a read; null when it refuses. */
export async function bodyOf(c: OwnVisit, path: string, query?: ApiCall['query']): Promise<unknown> {
  const answer = await c.api({ method: 'GET', path, ...(query && { query }) })
  return problemOf(answer) === null ? answer.body : null
}
