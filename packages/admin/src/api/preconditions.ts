/** ETags, and what a change requires of them: RFC 9110 §13. */

import { createHash } from 'node:crypto'
import { ProblemError } from './problem.js'

/** The ETag of a record as it is shown. */
export const etagOf = (shown: unknown): string =>
  `"${createHash('sha256').update(canonical(shown)).digest('base64url')}"`

/** JSON whose members are sorted: stores return records in orders of their own. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

/** What a request says of the record that it changes. */
interface Preconditions {
  request: Request
  overwrite?: boolean | undefined
}

/** The request may create a record, and there is one already. @throws ProblemError 412 */
export function requireAbsent({ headers }: Request, etag: string): void {
  const none = headers.get('if-none-match')
  if (none === null || !(none.trim() === '*' || tagsOf(none).includes(etag))) return
  throw new ProblemError('changed_meanwhile', 'If-None-Match: the record exists')
}

/** There is no record. @throws ProblemError 412 when the request names one. */
export function requireNoneNamed({ headers }: Request): void {
  if (headers.get('if-match') === null) return
  throw new ProblemError('changed_meanwhile', 'If-Match: there is no such record')
}

/** @throws ProblemError 428 without If-Match, 412 when the record is another one. */
export function requireMatch({ request, overwrite = false }: Preconditions, etag: string): void {
  const match = request.headers.get('if-match')
  if (match === null && overwrite) return
  if (match === null)
    throw new ProblemError(
      'precondition_required',
      'Send If-Match with the ETag of the record that you have read, or ?overwrite=true to replace any',
    )
  if (match.trim() === '*' || tagsOf(match).includes(etag)) return
  throw new ProblemError('changed_meanwhile', 'If-Match: read the record again, and repeat the change')
}

/** Strong ones: a weak ETag matches none. */
const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim())
