/** The processes of a PostgreSQL, which a test stops without ending them. */

import type { Executor } from '@ostiary/storage-postgres'

/** All processes of a PostgreSQL. */
export async function processesOf(admin: Executor): Promise<number[]> {
  const [first] = await admin.query<{ file: string }>("select pg_read_file('postmaster.pid') as file")
  const others = await admin.query<{ pid: number }>('select pid from pg_stat_activity')
  return [Number(first?.file.split('\n')[0]), ...others.map(({ pid }) => pid)]
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It has ended.
    }
}
