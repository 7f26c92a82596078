/** Whether Redis accepts writes, and keeps them when it stops. */

import { infoValue, knownMasters } from '../connection/info.js'
import { requireWritableUnchanged } from '../connection/writes.js'
import type { RedisConnection } from '../script.js'
import { fault, messageOf, note, type RedisFinding } from './finding.js'

/** By the first word of Redis' answer. */
const REFUSALS: Record<string, { message: string; advice: string }> = {
  OOM: {
    message: 'is full, and refuses writes (maxmemory)',
    advice: 'Raise its maxmemory, or give it a machine with more memory.',
  },
  READONLY: {
    message: 'is a replica, and refuses writes',
    advice: 'Correct REDIS_URL to the master; with sentinels, give them and the name of the master.',
  },
  MASTERDOWN: {
    message: 'is a replica that has lost its master',
    advice: 'Correct REDIS_URL to the master; with sentinels, give them and the name of the master.',
  },
  MISCONF: {
    message: 'cannot save to its disk, and refuses writes',
    advice: 'Look for the reason in its log: a full disk, or a folder that it may not write.',
  },
  NOREPLICAS: {
    message: 'has too few replicas, and refuses writes (min-replicas-to-write)',
    advice: 'Start its replicas.',
  },
  CLUSTERDOWN: {
    message: 'is a cluster in which slots have no master',
    advice: 'Start the missing nodes; redis-cli --cluster check names the slots.',
  },
}

/** @param infos Null when they are not known. */
export async function writeFindings(redis: RedisConnection, infos: string[] | null): Promise<RedisFinding[]> {
  try {
    await requireWritableUnchanged(redis)
    return []
  } catch (error) {
    const message = messageOf(error)
    // In a cluster, ioredis puts text of its own before the answer.
    const reply = message.split('ReplyError: ').at(-1) ?? ''
    const refusal = REFUSALS[reply.split(' ')[0] ?? '']
    if (refusal === undefined) return [fault(`refuses writes: ${message}`, 'Correct its settings.')]
    const master = infos?.map(masterOf).find((found) => found !== null)
    const whose = master === undefined ? '' : ` of ${master}`
    return [fault(refusal.message.replace('a replica', `a replica${whose}`), refusal.advice)]
  }
}

function masterOf(info: string): string | null {
  const host = infoValue(info, 'master_host')
  return host === '' ? null : `${host}:${infoValue(info, 'master_port')}`
}

/** What is lost when Redis stops. @param infos INFO of each server that holds records. */
export async function persistenceFindings(
  redis: RedisConnection,
  infos: string[],
  holds_sessions: boolean,
): Promise<RedisFinding[]> {
  if (infos.every((info) => infoValue(info, 'aof_enabled') === '1')) return []
  const [, snapshots] = await settingsOf(redis)
  const advice = holds_sessions
    ? 'Set appendonly to yes, or OSTIARY_SESSIONS to database.'
    : 'Set appendonly to yes if users should not start their sign-in again after a restart of Redis.'
  if (snapshots === undefined)
    return holds_sessions
      ? [note('has no appendonly, and whether it saves snapshots is unknown', advice)]
      : []
  if (snapshots !== '')
    return holds_sessions
      ? [note('loses the sessions since its last snapshot when it stops (appendonly no)', advice)]
      : []
  const message = 'keeps nothing when it stops (appendonly no, no save)'
  return holds_sessions ? [fault(`${message}, and holds the sessions`, advice)] : [note(message, advice)]
}

/** `save` and its value: that of the server that saves nothing, else of one that does not tell. Empty when it does not. */
async function settingsOf(redis: RedisConnection): Promise<string[]> {
  const settings = await Promise.all(
    // A user that may not run CONFIG cannot see it.
    knownMasters(redis).map((node) => node.config('GET', 'save').catch(() => []) as Promise<string[]>),
  )
  const unknown = settings.find(([, snapshots]) => snapshots === undefined)
  return settings.find(([, snapshots]) => snapshots === '') ?? unknown ?? settings[0] ?? []
}
