/** Runs an operation, or its dry run, and adds the links to its rows. */

import type { Provider } from '@ostiary/core'
import { realmOf } from './authenticate.js'
import { type AuditRows, rowLinks } from './describedby.js'
import type { Answer, Call, Operation } from './operation.js'

/** What it needs of the options of `createAdmin`. */
interface Place {
  provider: Provider
  audit: { store: AuditRows } | null
}

/** What is run. */
interface Run {
  operation: Operation
  /** As the schemas of the operation have read it. */
  given: { query: unknown; body: unknown }
  request_id: string
}

/** @throws what the operation throws */
export async function runOperation({ provider, audit }: Place, call: Call, run: Run): Promise<Answer> {
  const answer = await answered(provider, call, run)
  if (audit === null || run.operation.access === 'read') return answer
  // The change is made: without its links, it is no failure.
  const link = await rowLinks(audit.store, call, run.request_id).catch(() => null)
  return link === null ? answer : { ...answer, headers: { ...answer.headers, link } }
}

async function answered(provider: Provider, call: Call, { operation, given }: Run): Promise<Answer> {
  const run = (to: Call) => operation.run(to, given as { query: never; body: never })
  if (!(given.query as { dry_run?: boolean }).dry_run) return run(call)
  const { dryRun } = await import('./dry-run/dry-run.js')
  const issuer = async () => (await realmOf(provider, call.realm)).issuer
  return dryRun(call, { id: operation.id, run, issuer })
}
