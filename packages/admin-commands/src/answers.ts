/** What a server answers to a command. Another server, or a proxy, may answer in its place. */

import type { SendRequest } from '@ostiary/admin-client/remote'

/** A refusal of the API, as `@ostiary/admin-client` throws it. */
interface Refusal extends Error {
  status: number
  problem: Readonly<Record<string, unknown>>
}

export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && error.name === 'ApiRefusal'

/** Null for what is not there. */
export async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (isRefusal(error) && error.status === 404) return null
    throw error
  }
}

/** What is shown of an answer is not what the API answers. */
export const notTheApi = ({ failure }: { failure(message: string): Error }, path: string): Error =>
  failure(`The answer about ${path} is not that of the admin API: is this the address of the server?`)

/** Entries that the API gives at once. */
const MAX_PAGE = 200

interface ListOptions {
  limit: number
  filter: Readonly<Record<string, string>>
  after?: string
}

/** At most `limit` entries of a list; null for an answer that is none. */
export async function listed(
  send: SendRequest,
  path: readonly string[],
  { limit, filter, after }: ListOptions,
): Promise<unknown[] | null> {
  const items: unknown[] = []
  let from: Record<string, string> = after === undefined ? {} : { after }
  while (items.length < limit) {
    const query = { ...filter, ...from, limit: String(Math.min(limit - items.length, MAX_PAGE)) }
    const page = await send<{ items?: unknown; next?: unknown } | null>('GET', path, { query })
    if (!Array.isArray(page?.items)) return null
    items.push(...page.items)
    if (typeof page.next !== 'string' || page.items.length === 0) break
    from = { cursor: page.next }
  }
  return items
}
