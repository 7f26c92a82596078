/** The types of rows, by which a sink chooses what it gets. */

import { KEPT } from '@ostiary/audit'

/** Types of rows that no event has: changes, and what was dropped. */
export const CHANGE_TYPES: readonly string[] = [
  'admin.refused',
  'audit.dropped',
  'audit.undo',
  'client.create',
  'client.delete',
  'client.ensure',
  'client.revoke',
  'client.rotate_secret',
  'client.store',
  'client.update',
  'client_document.forget',
  'consent.revoke',
  'database.restored',
  'dry_run',
  'factor.change',
  'factor.rename',
  'grant.revoke',
  'key.reseal',
  'key.revoke',
  'key.rotate',
  'link.add',
  'link.remove',
  'mail.test',
  'realm.create',
  'realm.delete',
  'realm.export',
  'realm.import',
  'realm.update',
  'remembered_device.remove',
  'role.grant',
  'role.revoke',
  'session.end',
  'session.end_all',
  'session.end_others',
  'simulation',
  'throttle.reset',
  'ticket.put',
  'ticket.take',
  'user.create',
  'user.delete',
  'user.delete_records',
  'user.end_access',
  'user.export',
  'user.update',
]

/** What the audit keeps. */
export interface TypeContext {
  /** Whether `audit.events` is `all`. */
  keeps_all: boolean
}

interface TypeFault {
  message: string
  /** Among which the right one may be. */
  candidates?: readonly string[]
}

/** What is wrong with a type, or with the beginning of types, that a sink names. */
export function typeFault(type: string, { keeps_all }: TypeContext): TypeFault | null {
  const named = ALL_TYPES.filter((known) => isNamed(known, type))
  if (named.length === 0)
    return { message: `there is no type ${JSON.stringify(type)}`, candidates: ALL_TYPES }
  if (keeps_all || named.some(isAlwaysKept)) return null
  return { message: `${type} is only kept with audit.events all: set that too, or leave this type out` }
}

const ALL_TYPES = [...Object.keys(KEPT), ...CHANGE_TYPES]
const isAlwaysKept = (type: string): boolean =>
  (KEPT as Partial<typeof KEPT>)[type as keyof typeof KEPT]?.kept !== 'all'
const isNamed = (type: string, name: string): boolean =>
  name.endsWith('.') ? type.startsWith(name) : type === name

/** Whether a sink gets rows of a type. @param names Undefined: it gets all. */
export const getsType = (names: readonly string[] | undefined, type: string): boolean =>
  names === undefined || names.some((name) => isNamed(type, name))

/** The types that a sink gets; null for all. */
export const typesOf = (names: readonly string[] | undefined): string[] | null =>
  names === undefined ? null : ALL_TYPES.filter((type) => getsType(names, type))
