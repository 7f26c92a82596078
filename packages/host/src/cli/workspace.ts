/** What the commands of a realm have in common: its storage, its users, lists in pages. */

import type { CommandErrors, RealmOperations, SendRequest } from '@ostiary/admin-client/remote'
import { ClientInputError } from '@ostiary/core'
import { type User, usernameKey } from '@ostiary/identity'
import { manageRealm, RealmError, type Workspace } from '../management/manage.js'
import { isAddress } from '../network/mailbox.js'
import { openInvitations } from '../server/admin/invitations.js'
import { activeThrottles, resetThrottles } from '../server/admin/throttles.js'
import { given } from '../values/given.js'
import { accountsOf, nowSeconds } from './accounts.js'
import {
  type CommandContext,
  type CommandError,
  type CommandInput,
  type CommandOption,
  failure,
  notFound,
  usageError,
} from './command.js'

/** Runs on the storage that the configuration of this machine names. */
export async function inLocalRealm<T>(
  input: CommandInput,
  { env, cwd, err }: CommandContext,
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const options = { cwd, write: linesTo({ err }), ...given({ realm: input.text('realm') }) }
  return realmFailure(manageRealm(env, options, run))
}

/** The same, or with --server on a server, over its admin API. */
export async function inRealm<T>(
  input: CommandInput,
  context: CommandContext,
  run: (realm: RealmOperations) => Promise<T>,
): Promise<T> {
  if (input.text('server') === undefined)
    return inLocalRealm(input, context, async (workspace) =>
      run({
        ...workspace,
        accounts: await accountsOf(workspace),
        throttles: throttlesOf(workspace),
        invitations: (page) => openInvitations(workspace, page, nowSeconds()),
        log_addresses: workspace.config.log?.addresses ?? 'truncated',
      }),
    )
  return inServer(input, context, run)
}

/** On the server of --server, over its admin API. */
export async function inServer<T>(
  input: CommandInput,
  context: CommandContext,
  run: (realm: RealmOperations, send: SendRequest) => Promise<T>,
): Promise<T> {
  const { inServerRealm } = await import('@ostiary/admin-client/remote')
  const connect = async (server: string) =>
    (await import('@ostiary/admin-client')).openConnection(server, context)
  const clientFaults: CommandErrors['clientFaults'] = (faults) => new ClientInputError(faults)
  return inServerRealm(
    { connect, ...context, input, errors: { usageError, notFound, failure, clientFaults } },
    run,
  )
}

export function throttlesOf({
  config,
  entries,
  realm,
  storage,
  users,
}: Workspace): RealmOperations['throttles'] {
  const { secret, login: limits } = config
  const place = { realm, throttle: storage.throttle, users, secret, limits, mail: entries.mail }
  return {
    list: (selection) => activeThrottles(place, selection, nowSeconds()),
    reset: (selection) => resetThrottles(place, selection, nowSeconds()),
  }
}

/** Writes a line to standard error, where the log of a command is. */
export const linesTo =
  ({ err }: Pick<CommandContext, 'err'>) =>
  (line: string): void =>
    err(`${line}\n`)

/**
 * What a command of one realm has: the options `--realm` and `--server`, and a run that gets the realm, which is open.
 * @param check Called before anything is opened. @throws CommandError
 */
export const ofRealm = <Result>(
  run: (realm: RealmOperations, input: CommandInput, context: CommandContext) => Promise<Result>,
  check?: (input: CommandInput) => unknown,
) => ({
  of_realm: true as const,
  remote: true as const,
  run(input: CommandInput, context: CommandContext): Promise<Result> {
    check?.(input)
    return inRealm(input, context, (realm) => run(realm, input, context))
  },
})

/** The same for what the admin API does not offer. */
export const ofLocalRealm = <Result>(
  run: (workspace: Workspace, input: CommandInput, context: CommandContext) => Promise<Result>,
) => ({
  of_realm: true as const,
  run: (input: CommandInput, context: CommandContext): Promise<Result> =>
    inLocalRealm(input, context, (workspace) => run(workspace, input, context)),
})

/** @throws CommandError when the realm of the work does not exist. */
export async function realmFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RealmError) throw notFound(error.message)
    throw error
  }
}

export const SUB_OPTION: CommandOption = { help: 'The argument is the sub of the user, not the username' }

/** What a command about one user takes, as `findUser` reads it, when it has no further options. */
export const NAMED_USER = { args: ['username'], options: { sub: SUB_OPTION } }

export const RESOURCE_OPTION: CommandOption = {
  value: 'uri',
  help: 'Only for this resource (default: for all resources)',
}

/** As `ofRealm`, for the user that the command line names. */
export const ofUser = <Result>(
  run: (realm: RealmOperations, user: User, input: CommandInput) => Promise<Result>,
) => ofRealm(async (realm, input) => run(realm, await findUser(realm, input), input))

/**
 * The user that a command line names, by username or with --sub by sub.
 * @throws CommandError when there is none.
 */
export async function findUser(
  { users }: Pick<RealmOperations, 'users'>,
  input: CommandInput,
  name = input.args[0] ?? '',
): Promise<User> {
  const key = usernameKey(name)
  const user = input.flag('sub') ? await users.find(name) : key && (await users.findByUsername(key))
  if (user) return user
  throw notFound(`There is no user ${input.flag('sub') ? 'with the sub ' : ''}${JSON.stringify(name)}`)
}

/** A record of the configuration is changed there. @param advice What to do in it. */
export const configured = (name: string, path: string, advice: string): CommandError =>
  failure(`${name} is in the configuration, ${path}: ${advice} there and reload the server`)

/** The argument of a command that takes one address. @throws CommandError (usage) */
export function addressOf({ args: [address = ''] }: CommandInput): string {
  if (!isAddress(address)) throw usageError('give one address, such as ann@example.com')
  return address
}

export const PAGE_OPTIONS: Readonly<Record<string, CommandOption>> = {
  limit: { value: 'number', help: 'The number of entries, up to 1000 (default: 50)' },
  after: { value: 'id', help: 'Continue after this entry: the last one of the page before' },
}

/** One page of a list. `next` is the value of --after for the next page; null on the last one. */
async function paged<T>(
  input: CommandInput,
  list: (page: { after?: string; limit: number }) => Promise<T[]>,
  idOf: (item: T) => string,
): Promise<{ items: T[]; next: string | null }> {
  const text = input.text('limit') ?? '50'
  const limit = Number(text)
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > 1000)
    throw usageError('--limit: give a number from 1 to 1000')
  const entries = await list({ limit: limit + 1, ...given({ after: input.text('after') }) })
  const items = entries.slice(0, limit)
  const last = items.at(-1)
  return { items, next: entries.length > limit && last !== undefined ? idOf(last) : null }
}

export const SEARCH_OPTION: Readonly<Record<string, CommandOption>> = {
  search: {
    value: 'text',
    help: 'Only entries with this text in a column that identifies them, in any case. It reads up to 100,000 entries, which takes a few seconds, and then says where to continue',
  },
}

/** Records that one search reads at most. It reads all of them: no index helps to find a part of a text. */
const MAX_SEARCHED = 100_000
const SEARCH_PAGE = 1000

/** A list that can be searched. */
export interface SearchableList<T> {
  list(page: { after?: string; limit: number }): Promise<T[]>
  idOf(item: T): string
  /** The texts in which the search looks. */
  textsOf(item: T): (string | null | undefined)[]
}

/** One page of a list or, with --search, of the entries that match. */
export async function searched<T>(
  input: CommandInput,
  { list, idOf, textsOf }: SearchableList<T>,
): Promise<{ items: T[]; next: string | null }> {
  const text = input.text('search')
  if (text === undefined) return paged(input, list, idOf)
  const wanted = folded(text)
  const matches = (item: T) => textsOf(item).some((found) => found && folded(found).includes(wanted))
  let end: string | null = null
  const found = await paged(
    input,
    async ({ after, limit }) => {
      const step = await matching({ list, idOf, matches }, { after, limit })
      end = step.next
      return step.items
    },
    idOf,
  )
  return { items: found.items, next: found.next ?? end }
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

interface Search<T> extends Omit<SearchableList<T>, 'textsOf'> {
  matches(item: T): boolean
}

/** The first matches after an entry. `next` is the last entry that was read, when there may be more of them. */
async function matching<T>(
  { list, idOf, matches }: Search<T>,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ items: T[]; next: string | null }> {
  const items: T[] = []
  let last = after
  for (let read = 0; read < MAX_SEARCHED; read += SEARCH_PAGE) {
    const page = await list({ limit: SEARCH_PAGE, ...given({ after: last }) })
    items.push(...page.filter(matches))
    if (items.length >= limit) return { items: items.slice(0, limit), next: null }
    const end = page.at(-1)
    if (end === undefined || page.length < SEARCH_PAGE) return { items, next: null }
    last = idOf(end)
  }
  return { items, next: last ?? null }
}

export const nextPageNote = (next: string | null): { note?: string } =>
  next === null ? {} : { note: `There are more: continue with --after ${next}` }
