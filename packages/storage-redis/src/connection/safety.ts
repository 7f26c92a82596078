/**
 * What must be so before a connection to Redis is used: asked on each new connection, before its first command, and every
 * minute. An answer that is wrong or missing closes the connection: commands then fail as in an outage.
 */

import { Cluster, type Redis } from 'ioredis'
import type { RedisConnection } from '../script.js'
import type { RedisAddress } from './address.js'
import type { RedisEvent } from './events.js'
import { connectionRefusal, knownMasters } from './info.js'

const ASK_EVERY_MS = 60_000

interface RedisUse {
  address: RedisAddress
  holds_sessions: boolean
  report: (event: RedisEvent) => void
  /** Milliseconds between two questions on an open connection; a minute when undefined. */
  ask_every_ms: number | undefined
}

interface RedisSafety {
  /** Why a server is not used: a sentence. Null when none was refused. */
  refusal(): string | null
}

/** Begins before the first connection is open, and ends with the client. */
export function watchSafety(redis: RedisConnection, use: RedisUse): RedisSafety {
  const { report } = use
  /** By the address of the server. */
  const refusals = new Map<string, string>()

  function isAccepted(node: Redis, info: string): boolean {
    const address = `${node.options.host}:${node.options.port}`
    const known = refusals.get(address)
    const reason = connectionRefusal(info, use)
    if (reason === null) {
      if (refusals.delete(address)) report({ type: 'accepted', node: address })
      return true
    }
    if (reason !== known) report({ type: 'refused', node: address, reason })
    refusals.set(address, reason)
    return false
  }

  /** Nodes whose answer is waited for. */
  const asked = new Set<Redis>()

  async function askAgain(node: Redis): Promise<void> {
    if (node.status !== 'ready' || asked.has(node)) return
    asked.add(node)
    const is_usable = await accepts(node, (info) => isAccepted(node, info))
    asked.delete(node)
    // The next connection is asked before it is used.
    if (!is_usable && node.status === 'ready') node.disconnect(true)
  }

  const watch = (node: Redis) => askBeforeUse(node, (info) => isAccepted(node, info))
  if (redis instanceof Cluster) redis.on('+node', watch)
  else watch(redis)
  const timer = setInterval(() => {
    for (const node of knownMasters(redis)) askAgain(node)
  }, use.ask_every_ms ?? ASK_EVERY_MS)
  timer.unref()
  redis.once('end', () => clearInterval(timer))
  return { refusal: () => [...refusals.values()][0] ?? null }
}

/** False when the answer is wrong, and when there is none. */
async function accepts(node: Redis, isAccepted: (info: string) => boolean): Promise<boolean> {
  try {
    return isAccepted(await node.info())
  } catch (error) {
    return isRefusedCommand(error) && isAccepted('')
  }
}

/** The user may not run INFO: that is an answer too, one without lines. */
const isRefusedCommand = (error: unknown): boolean => error instanceof Error && /^NOPERM/.test(error.message)

/**
 * The part of ioredis that looks at INFO on each new connection, before it sends what waits for it. It has no public name:
 * the tests of `connect` show that a release of ioredis still asks it.
 */
interface ConnectionCheck {
  connector: { check(info: Record<string, string>): boolean }
}

function askBeforeUse(node: Redis, isAccepted: (info: string) => boolean): void {
  const { connector } = node as unknown as ConnectionCheck
  const check = connector.check.bind(connector)
  connector.check = (info) => check(info) && isAccepted(linesOf(info))
}

const linesOf = (info: Record<string, string>): string =>
  Object.entries(info)
    .map(([name, value]) => `${name}:${value}`)
    .join('\n')
