/** Reads the bucket of a statement from its text, as a routing proxy does. */

import type { Param } from '../connection/executor.js'

const COMPARED = /\bbucket = \$(\d+)/
/** After the first columns. */
const INSERTED = /^[^()]*\)\s+(?:values \(|select )\$\d+, \$(\d+)/

/** The number of the parameter by the text, of which there are as many as the stores have; 0: the statement names no bucket. */
const parameters = new Map<string, number>()

function parameterOf(text: string): number {
  const known = parameters.get(text)
  if (known !== undefined) return known
  const found = Number(
    (COMPARED.exec(text) ?? INSERTED.exec(text.split('(realm, bucket, ')[1] ?? ''))?.[1] ?? 0,
  )
  parameters.set(text, found)
  return found
}

/** Null when the statement is not about one bucket. */
export function bucketOf(text: string, params: readonly Param[]): number | null {
  if (params.length === 0) return null
  const bucket = params[parameterOf(text) - 1]
  return typeof bucket === 'number' ? bucket : null
}
