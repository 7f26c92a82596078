/** What a Redis says about itself (INFO), and why a connection to it must not be used. */

import { Cluster, type Redis } from 'ioredis'
import type { RedisConnection } from '../script.js'
import { REDIS_FORMS, type RedisAddress } from './address.js'

/** The maxmemory-policy by which a full Redis drops records; null when it keeps them. @param info INFO memory. */
export function evictionIn(info: string): string | null {
  const value = (name: string) => infoValue(info, name)
  const policy = value('maxmemory_policy')
  return value('maxmemory') === '0' || policy === '' || policy === 'noeviction' ? null : policy
}

/** The value of a line in the answer to INFO; empty when it is missing. */
export function infoValue(info: string, name: string): string {
  const line = info.split(/\r?\n/).find((candidate) => candidate.startsWith(`${name}:`))
  return line?.slice(name.length + 1) ?? ''
}

/** INFO of the server, or of each master of a cluster. */
export async function infoOf(redis: RedisConnection): Promise<string[]> {
  // The masters are known once the cluster has answered.
  if (redis instanceof Cluster) await redis.ping()
  return Promise.all(knownMasters(redis).map((node) => node.info()))
}

/** The server, or the masters of a cluster that are known. */
export const knownMasters = (redis: RedisConnection): Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis]

/** A single address that names a part of something larger: what it is, and the address to give. Null when it does not. */
export function misnamedServer(info: string, address: RedisAddress): { is: string; give: string } | null {
  if (address.kind !== 'server') return null
  const mode = infoValue(info, 'redis_mode')
  const { protocol, host } = new URL(address.url)
  const scheme = protocol.slice(0, -1)
  const port = (host: string, usual: number) => (/:\d+$/.test(host) ? host : `${host}:${usual}`)
  if (mode === 'cluster')
    return {
      is: 'one node of a Redis Cluster, which refuses the keys of the other nodes',
      give: `give the cluster, ${scheme}+cluster://${port(host, 6379)}, with further nodes after a comma`,
    }
  if (mode === 'sentinel')
    return {
      is: 'a sentinel, which stores no records',
      give: `give the sentinels and the name of the master, such as ${REDIS_FORMS.sentinel}`,
    }
  return null
}

/**
 * Why a connection must not be used: a sentence. Null when it may.
 * @param info INFO of the server; empty when the user may not run it.
 */
export function connectionRefusal(
  info: string,
  { address, holds_sessions }: { address: RedisAddress; holds_sessions: boolean },
): string | null {
  const misnamed = misnamedServer(info, address)
  if (misnamed !== null) return `REDIS_URL names ${misnamed.is}: ${misnamed.give}`
  // What may be lost with the other records is a sign-in in progress or a count.
  if (!holds_sessions) return null
  if (infoValue(info, 'maxmemory_policy') === '') return POLICY_UNKNOWN
  const policy = evictionIn(info)
  return policy && evicts(policy)
}

const POLICY_UNKNOWN =
  'The Redis that REDIS_URL names does not say whether it drops records when it is full (INFO has no maxmemory_policy), and ' +
  'it holds the sessions: allow its user to run INFO, or set OSTIARY_SESSIONS to database'

const evicts = (policy: string): string =>
  `The Redis that REDIS_URL names drops records when it is full (maxmemory-policy ${policy}), and it holds the ` +
  'sessions: set its maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database'
