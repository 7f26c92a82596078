/** The options of commands that give standard claims to a user. */

import { closest } from '@ostiary/core'
import { userSchema } from '../../config/file-schema.js'
import { leaves } from '../../config/schema-keys.js'
import { type CommandOption, usageError } from '../command.js'

export const CLAIM_OPTION: CommandOption = {
  value: 'name=value',
  many: true,
  help: 'A standard claim, such as name, email, email_verified=true or address.locality',
}

/** Claims by the type of each: `email_verified=true`, `updated_at=0`, `address.locality=Paris`; the others are strings. */
export function claimsOf(assignments: readonly string[]): Record<string, unknown> {
  const known = leaves(userSchema).filter(
    ({ path }) => !/^(?:username|password|password_env|sub|attributes|groups)$/.test(path),
  )
  const claims: Record<string, unknown> = {}
  for (const text of assignments) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    const claim = known.find(({ path }) => path === name)
    if (claim === undefined) {
      const meant = closest(
        name,
        known.map(({ path }) => path),
      )
      const suggestion = meant === null ? '' : `; did you mean ${meant}?`
      throw usageError(
        `--claim ${text.slice(0, 100)}: give <name>=<value> with the name of a standard claim${suggestion}`,
      )
    }
    const right =
      claim.kind === 'text' || (claim.kind === 'number' ? /^\d{1,10}$/ : /^(?:true|false)$/).test(value)
    if (!right)
      throw usageError(
        `--claim ${name}: give ${claim.kind === 'number' ? 'a whole number' : 'true or false'}`,
      )
    const parsed = claim.kind === 'text' ? value : JSON.parse(value)
    const [outer = '', inner] = name.split('.')
    claims[outer] =
      inner === undefined ? parsed : { ...(claims[outer] as object | undefined), [inner]: parsed }
  }
  return claims
}
