/** What a row of the table of client fields says (fields.ts). */

import type * as z from 'zod'
import type { RealmRules } from '../realm/realm.js'
import type { Client } from '../storage/records.js'

/** Who describes a client: an operator; the client by registration (RFC 7591); its metadata document. */
export type ClientSource = 'operator' | 'registration' | 'document'

/** A setting without which the field has no effect. */
export interface ClientFieldSwitch {
  /** Completes "<what> off: set <key>". */
  what: string
  key: string
  is_on(realm: RealmRules): boolean
}

/** How `client create` and `client update` name the field. */
export interface ClientFieldOption {
  /** The name of the option; when absent, that of the field with `-` for `_`. */
  option?: string
  /** What stands for the value in the help, as in `--logo-uri <uri>`; not for a boolean. */
  value?: string
  /** For a boolean: the flag of `client create`, which sets what is not the default; when absent, the name of the option. */
  flag?: string
}

/** A field of a client: who may set it, how it is stored, and how the command line names it. */
export interface ClientField<Name extends keyof Client = keyof Client> {
  /** Nobody describes what the provider decides, such as the time of the last change. */
  set_by: readonly ClientSource[]
  /** The value of a client for which nobody has set the field. */
  absent: Readonly<Client[Name]>
  stored: 'text' | 'list' | 'json' | 'boolean' | 'seconds'
  /** What an operator may give, with the text of the reference pages. */
  input?: z.ZodType
  /** The value to store of an input that differs from it. */
  record?(value: never): Client[Name]
  needs?: ClientFieldSwitch
  cli?: ClientFieldOption
}
