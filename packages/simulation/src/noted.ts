/** The row of a simulation, where there is an audit. */

/** Writes rows: `RecordsChange` of `@ostiary/admin`. */
export interface Rows {
  change<T>(
    change: {
      realm: string
      type: string
      sub?: string
      client_id?: string
      ids: Readonly<Record<string, unknown>>
    },
    run: () => Promise<T>,
  ): Promise<T>
}

/** Runs a simulation, with its row. @param body Who is asked about. */
export async function noted<T>(
  { realm, audit }: { realm: string; audit: Rows | null },
  { operation, body: { sub, client_id } }: { operation: string; body: { sub?: string; client_id?: string } },
  run: () => Promise<T>,
): Promise<T> {
  const subject = { ...(sub !== undefined && { sub }), ...(client_id !== undefined && { client_id }) }
  const change = { realm, type: 'simulation', ...subject, ids: { operation } }
  return audit?.change(change, run) ?? run()
}
