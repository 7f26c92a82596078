/** What follows from the table of client fields. */

import type { Client } from '../storage/records.js'
import type { ClientField, ClientSource } from './field.js'
import { CLIENT_FIELDS } from './fields.js'

type Rows = typeof CLIENT_FIELDS

/** The names of the fields that a source describes. */
export type SetBy<Source extends ClientSource> = {
  [Name in keyof Rows]: Source extends Rows[Name]['set_by'][number] ? Name : never
}[keyof Rows]

/** Every field of the record, in the order in which records are shown. */
export const clientFields: { readonly [Name in keyof Client]: ClientField<Name> } = CLIENT_FIELDS

export const CLIENT_FIELD_NAMES = Object.keys(clientFields) as (keyof Client)[]

/** A client for which nobody has set a field. */
export const ABSENT_FIELDS = Object.fromEntries(
  CLIENT_FIELD_NAMES.map((name) => [name, clientFields[name].absent]),
) as unknown as Client

/** The fields that the source describes. */
export const fieldsSetBy = <Source extends ClientSource>(source: Source): SetBy<Source>[] =>
  CLIENT_FIELD_NAMES.filter((name) => clientFields[name].set_by.includes(source)) as SetBy<Source>[]
