/** A command's way into a realm. */

import { type User, usernameKey } from '@ostiary/identity'
import { manageRealm, RealmError, type Workspace } from '../management/manage.js'

export type { Workspace } from '../management/manage.js'

import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type CommandOption,
  EXIT,
  notFound,
  usageError,
} from './command.js'

export async function inRealm<T>(
  input: CommandInput,
  { env, cwd, err }: CommandContext,
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const realm = input.text('realm')
  const write = (line: string) => err(`${line}\n`)
  try {
    return await manageRealm(env, { cwd, write, ...(realm !== undefined && { realm }) }, run)
  } catch (error) {
    if (error instanceof RealmError) throw new CommandError(error.message, EXIT.not_found)
    throw error
  }
}

export const SUB: CommandOption = { help: 'The argument is the sub of the user, not the username' }

/** Whom the argument means. */
export async function findUser(
  { users }: Workspace,
  input: CommandInput,
  name = input.args[0] ?? '',
): Promise<User> {
  const key = usernameKey(name)
  const found = input.flag('sub') ? await users.find(name) : key && (await users.findByUsername(key))
  if (found) return found
  throw notFound(`There is no user ${input.flag('sub') ? 'with the sub ' : ''}${JSON.stringify(name)}`)
}

export const PAGE: Readonly<Record<string, CommandOption>> = {
  limit: { value: 'number', help: 'So many at most, up to 1000 (default: 50)' },
  after: { value: 'id', help: 'Go on behind this one: the last of the page before' },
}

/** The page, and where the next one starts; null on the last. */
export async function paged<T>(
  input: CommandInput,
  list: (page: { after?: string; limit: number }) => Promise<T[]>,
  idOf: (item: T) => string,
): Promise<{ items: T[]; next: string | null }> {
  const text = input.text('limit') ?? '50'
  const limit = Number(text)
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > 1000)
    throw usageError('--limit is a number from 1 to 1000')
  const after = input.text('after')
  const found = await list({ limit: limit + 1, ...(after !== undefined && { after }) })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? idOf(last) : null }
}

export const more = (next: string | null): { note?: string } =>
  next === null ? {} : { note: `There are more: --after ${next}` }
