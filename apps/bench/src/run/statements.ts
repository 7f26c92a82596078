/** How many statements an operation sends to PostgreSQL: counted after the load, with a server of its own. */

import { type Connection, openConnection } from '../load/connection.js'
import { migrate, newDatabase } from '../servers/databases.js'
import type { ServerKind } from '../servers/server-kind.js'
import { start } from '../servers/start.js'
import { countingProxy } from '../servers/statement-counter.js'
import { median } from '../statistics.js'
import { PEOPLE } from '../target.js'
import { isEs256, type WorkloadName, workloads } from '../workloads/index.js'
import type { Operation, Workload } from '../workloads/workload.js'

/** These rounds fill the caches and open the connections to the database. */
const WARM_UP_ROUNDS = 3
/** The median of the rounds counts: a statement of the server's background work falls into few of them. */
const ROUNDS = 11
/** Enough for every round of password logins: a user may try 20 times. */
const SIGN_INS = PEOPLE * 2

/** @param connections Operations at a time, as under load: the server may share a statement between some. */
export async function statementsPerOperation(
  kind: ServerKind,
  name: WorkloadName,
  connections: number,
): Promise<number> {
  const workload: Workload = workloads[name]
  const database_url = await newDatabase()
  if (kind.ours) migrate(kind.command, database_url)
  const proxy = await countingProxy(database_url)
  const opened: Connection[] = []
  try {
    const options = { people: SIGN_INS, es256: isEs256(name), database_url: proxy.url }
    const server = await start(kind, options)
    try {
      const operations: Operation[] = []
      const job = { target: server.target, run: 0, connections, people: SIGN_INS }
      for (let worker = 0; worker < connections; worker++) {
        const connection = await openConnection(server.target.origin)
        opened.push(connection)
        operations.push(await workload.prepare(connection, worker, job))
      }
      await rounds(operations, WARM_UP_ROUNDS)
      const counts: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const before = proxy.statements()
        await rounds(operations, 1)
        counts.push(proxy.statements() - before)
      }
      return median(counts) / connections
    } finally {
      for (const connection of opened) connection.close()
      await server.stop()
    }
  } finally {
    proxy.close()
  }
}

async function rounds(operations: readonly Operation[], count: number): Promise<void> {
  for (let round = 0; round < count; round++) await Promise.all(operations.map((operation) => operation()))
}
