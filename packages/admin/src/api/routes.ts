/** Finds the operation of a request. */

import type { Operation } from './operation.js'
import { isStorable } from './read-request.js'

/** An operation, and the values of its path. */
export interface Match {
  operation: Operation
  params: Record<string, string>
}

/** The operations at a path; empty where there is none. */
export type Router = (path: string) => Match[]

export function router(operations: readonly Operation[]): Router {
  const patterns = operations.map((operation) => ({ operation, parts: operation.path.split('/') }))
  return (path) => {
    const parts = path.split('/')
    return patterns.flatMap(({ operation, parts: pattern }) => {
      const params = paramsOf(pattern, parts)
      return params ? [{ operation, params }] : []
    })
  }
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (!expected.startsWith('{')) {
      if (part !== expected) return null
      continue
    }
    const value = decoded(part)
    if (value === null) return null
    params[expected.slice(1, -1)] = value
  }
  return params
}

/** Null for a part that is empty, or no text that can be stored. */
function decoded(part: string): string | null {
  try {
    const value = decodeURIComponent(part)
    return value !== '' && isStorable(value) ? value : null
  } catch {
    return null
  }
}
