/** The command `audit sinks`, and what `doctor` says of sinks. What they do is loaded when one of them runs. */

import type { OpenPlace, SinkCommand, SinkFinding, TextTools } from './command-types.js'
import type { SinkDatabase } from './database-store.js'
import type { SinkSettings } from './settings.js'

export type { SinkFinding } from './command-types.js'

/** For the list of commands of `@ostiary/host`. */
export const sinkCommand = <Input, Output>(
  open: OpenPlace<Input, Output>,
  tools: TextTools,
): SinkCommand<Input, Output> => ({
  name: 'audit sinks',
  summary: 'List the receivers of the audit, with what they have not got yet',
  about: ['Rows wait until they are sealed, which takes up to three minutes.'],
  of_realm: true,
  effect: 'reads',
  examples: [['ostiary audit sinks', 'What waits for each receiver, and why']],
  run: (input, output) =>
    open(input, output, async (opened) => (await import('./status.js')).listSinks(opened, tools)),
})

/** What `ostiary doctor` says of sinks. */
export async function sinkFindings(
  db: SinkDatabase,
  sinks: readonly SinkSettings[] | undefined,
): Promise<SinkFinding[]> {
  return sinks === undefined ? [] : (await import('./status.js')).findingsOf(db, sinks)
}
