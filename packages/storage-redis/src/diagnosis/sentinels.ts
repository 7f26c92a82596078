/** Asks the sentinels for the master: whether they know it, and can replace it. */

import { Redis } from 'ioredis'
import { REDIS_FORMS } from '../connection/address.js'
import { type SentinelAddress, sentinelOptions } from '../connection/sentinels.js'
import { codeOf, fault, messageOf, note, type RedisFinding } from './finding.js'

const MIN_SENTINELS = 3
const TIMEOUT_MS = 3000

export async function checkSentinels(address: SentinelAddress, shown_as: string): Promise<RedisFinding[]> {
  const answers = await Promise.all(address.nodes.map((node) => monitoredMasters(address, node)))
  const masters = answers.find((answer) => Array.isArray(answer))
  if (masters === undefined) return [failureFinding(shown_as, answers[0])]
  const master = masters.find((fields) => fields.get('name') === address.name)
  if (master === undefined) {
    const names = masters.map((fields) => fields.get('name')).join(', ') || 'none'
    return [
      fault(
        `the sentinels monitor no master ${JSON.stringify(address.name)}: they know ${names}`,
        'Correct the name at the end of REDIS_URL.',
      ),
    ]
  }
  return notesOf(master)
}

function notesOf(master: ReadonlyMap<string, string>): RedisFinding[] {
  const sentinels = Number(master.get('num-other-sentinels')) + 1
  const findings: RedisFinding[] = []
  if (sentinels < MIN_SENTINELS)
    findings.push(
      note(
        `${sentinels} ${sentinels === 1 ? 'sentinel monitors' : 'sentinels monitor'} the master: after the loss of one, none may replace it`,
        'Use three sentinels on three machines.',
      ),
    )
  if (master.get('num-slaves') === '0')
    findings.push(note('the master has no replica that could replace it', 'Add a replica.'))
  return findings
}

/** The fields of each master that a sentinel monitors; an error when it does not answer. */
async function monitoredMasters(
  address: SentinelAddress,
  node: SentinelAddress['nodes'][number],
): Promise<Map<string, string>[] | Error> {
  const redis = new Redis({
    ...sentinelOptions(address, node),
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  })
  let failure: Error | null = null
  redis.on('error', (error) => {
    failure = error
  })
  try {
    await redis.connect()
    const masters = (await redis.call('SENTINEL', 'MASTERS')) as string[][]
    return masters.map(
      (fields) => new Map(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? '']] : []))),
    )
  } catch (error) {
    return failure ?? (error as Error)
  } finally {
    redis.disconnect()
  }
}

function failureFinding(shown_as: string, error: unknown): RedisFinding {
  const message = messageOf(error)
  if (/NOAUTH|WRONGPASS|AUTH/.test(message))
    return fault(
      `the sentinels refuse the password: ${message}`,
      'Add ?sentinel_password=… to REDIS_URL, and sentinel_username if they have users.',
    )
  if (/unknown command/i.test(message))
    return fault(
      `${shown_as} names servers that are no sentinels`,
      `Give the ports of the sentinels, such as ${REDIS_FORMS.sentinel}; for one server, give ${REDIS_FORMS.server}.`,
    )
  return fault(
    `no sentinel of ${shown_as} answers (${codeOf(error) || message})`,
    'Start the sentinels, or correct REDIS_URL. A server starts without Redis, but sign-in fails.',
  )
}
