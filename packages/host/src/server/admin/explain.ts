/** The stories of `ostiary explain`, for the admin API. */

import { auditCommands } from '@ostiary/audit/commands'
import { clientFields, clientInput, hintOfEvent, type Provider } from '@ostiary/core'
import { setDisabled, type Users, updateUser, usernameKey } from '@ostiary/identity'
import type { Executor } from '@ostiary/storage-postgres'
import type { HostConfig } from '../../config/host-config.js'

interface Explaining {
  config: Pick<HostConfig, 'audit'>
  provider: Provider
  users: Users
  records: Executor
}

/** The audit has nothing of the name. */
class NothingKept extends Error {
  override name = 'NothingKept'
}

/** Runs the command: a story is what it prints as JSON. */
export async function explain(
  { config, provider, users, records }: Explaining,
  { realm, name }: { realm: string; name: string },
): Promise<readonly unknown[]> {
  const failure = (message: string) => new Error(message)
  const management = await provider.manage(realm)
  const opened = {
    realm: { id: realm },
    records,
    config,
    provider,
    management,
    users: users(realm),
    entries: { clients: [], users: [] },
    audit: null,
  }
  const commands = auditCommands((_input, _output, run) => run(opened), {
    usageError: failure,
    notFound: (message) => new NothingKept(message),
    failure,
    table: () => '',
    confirm: async () => {},
    identity: { updateUser, setDisabled, usernameKey },
    core: { clientFields, clientInput, hintOfEvent },
  })
  const command = commands.find((each) => each.name === 'explain')
  if (command === undefined) throw new Error('There is no command explain')
  const input = { args: [name], text: () => undefined, flag: () => false }
  try {
    const { json } = await command.run(input, { cwd: '', out: () => {} })
    return (json as { stories: unknown[] }).stories
  } catch (error) {
    if (error instanceof NothingKept) return []
    throw error
  }
}
