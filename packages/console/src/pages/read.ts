/** Reads records of the API for a page. */

import { type ApiProblem, problemOf } from '../session/api.js'
import type { Visit } from '../visit.js'
import { problemPage } from './errors.js'

/** A record with its ETag. */
export interface ReadRecord<Item> {
  record: Item
  etag: string
}

/** @returns A page that says why there is no record to show. */
export async function readRecord<Item>(
  c: Visit,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<ReadRecord<Item> | Response> {
  const answer = await c.api({ method: 'GET', path, query })
  const problem = problemOf(answer)
  return problem === null ? { record: answer.body as Item, etag: answer.etag ?? '' } : problemPage(c, problem)
}

/** A page of a list. */
export interface ListPage<Item> {
  items: readonly Item[]
  /** The cursor of the next page; null on the last one. */
  next: string | null
  /** What is wrong with the cursor or the filter. */
  problem: ApiProblem | null
}

/** The page whose cursor the address has. @returns A page that says why there is no list to show. */
export async function readPage<Item>(
  c: Visit,
  path: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<ListPage<Item> | Response> {
  const cursor = c.url.searchParams.get('cursor')
  const query = { limit: PAGE_SIZE, ...filter, ...(cursor !== null && { cursor }) }
  const answer = await c.api({ method: 'GET', path, query })
  const problem = problemOf(answer)
  if (problem === null) return { ...(answer.body as { items: Item[]; next: string | null }), problem }
  return problem.status === 400 ? { items: [], next: null, problem } : problemPage(c, problem)
}

const PAGE_SIZE = '50'
