/** A change that a command would make, as the admin API answers `dry_run=true`. */

import type { AdminAnswer } from '../connection/call.js'
import { cleaned } from './clean.js'
import { ApiRefusal } from './errors.js'

const PLAN_TYPE = 'application/vnd.ostiary.dry-run+json'

/** In place of the first change of a command: nothing was changed. */
export class Planned extends Error {
  /** As the server answers. */
  readonly plan: unknown

  constructor(plan: unknown) {
    super('Nothing was changed')
    this.name = 'Planned'
    this.plan = plan
  }
}

/** @throws ApiRefusal for an answer without a plan: a server that does not know dry runs has made the change */
export function planIn({ status, headers, body }: AdminAnswer, path: readonly string[]): unknown {
  if (isPlan(body) && headers.get('content-type')?.startsWith(PLAN_TYPE)) return cleaned({ json: body }).json
  const detail = 'The server has not answered with a plan: it may have made the change'
  throw new ApiRefusal({ status, problem: { detail }, message: detail }, path)
}

function isPlan(body: unknown): boolean {
  const { changes, effects } = (body ?? {}) as { changes?: unknown; effects?: unknown }
  return Array.isArray(changes) && changes.every(isChange) && typeof effects === 'object' && effects !== null
}

const isChange = (change: unknown): boolean =>
  typeof (change as { pointer?: unknown } | null)?.pointer === 'string'
