/** Reads `audit.sinks`: the secrets from the variables that it names, and what is wrong with it. */

import type { SinkSettings } from '@ostiary/audit-sinks'
import { type ConfigFault, withSuggestion } from '@ostiary/core'
import type * as z from 'zod'
import { type Environment, setting } from '../environment.js'
import type { auditSchema } from './audit-settings.js'

interface SinkContext {
  env: Environment
  /** Takes the faults. */
  faults: ConfigFault[]
  /** False: no variable is read. */
  entry_secrets: boolean
}

type AuditKeys = z.output<typeof auditSchema>

export async function readSinks(
  { audit: { enabled, events, sinks } }: { audit: AuditKeys },
  { env, faults, entry_secrets }: SinkContext,
): Promise<SinkSettings[]> {
  if (sinks.length === 0) return []
  if (!enabled) {
    faults.push({
      path: 'audit.sinks',
      message: 'they need audit.enabled: set it to true, or leave the sinks out',
    })
    return []
  }
  const { sinkFaults } = await import('@ostiary/audit-sinks')
  const read = sinks.map((sink) => settingsOf(sink, env))
  const found = sinkFaults(read, { keeps_all: events === 'all', suggest: withSuggestion }).map(asInFile)
  const unset = entry_secrets ? sinks.flatMap((sink, index) => unsetVariable(sink, { env, index })) : []
  // Without its variable, the secret would be reported a second time.
  const isTold = ({ path }: ConfigFault) =>
    path.endsWith('.secret_env') && (!entry_secrets || unset.some((fault) => fault.path === path))
  const all = [...unset, ...found.filter((fault) => !isTold(fault))]
  faults.push(...all.map((fault) => ({ ...fault, path: `audit.sinks.${fault.path}`.replace(/\.$/, '') })))
  return read
}

function settingsOf({ secret_env, ...rest }: AuditKeys['sinks'][number], env: Environment): SinkSettings {
  const secret = secret_env && setting(env, secret_env)
  return secret === undefined ? rest : { ...rest, secret }
}

function unsetVariable(
  { secret_env }: AuditKeys['sinks'][number],
  { env, index }: { env: Environment; index: number },
): ConfigFault[] {
  if (secret_env === undefined || setting(env, secret_env) !== undefined) return []
  const message = `the variable ${secret_env} is not set: serve, doctor and config print need it`
  return [{ path: `${index}.secret_env`, message }]
}

/** The file has the name of a variable in the place of a secret. */
const asInFile = ({ path, ...fault }: ConfigFault): ConfigFault => ({
  ...fault,
  path: path.replace(/\.secret$/, '.secret_env'),
})
