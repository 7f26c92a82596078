/** The options of commands that give attributes and groups to a user. */

import { type Attributes, attributesFault, groupsFault } from '@ostiary/identity'
import { type CommandInput, type CommandOption, usageError } from '../command.js'

export const ATTRIBUTE_OPTIONS: Readonly<Record<string, CommandOption>> = {
  group: { value: 'name', many: true, help: 'A group of the user' },
  attribute: {
    value: 'name=json',
    many: true,
    help: 'An attribute, whose value is JSON: level=3 or department=\'"Sales"\'',
  },
}

/** What the options give; a key is absent when no option names it. @throws CommandError when a value is invalid. */
export function attributesOf(input: CommandInput): { attributes?: Attributes; groups?: string[] } {
  const groups = [...input.list('group')]
  const attributes = Object.fromEntries(input.list('attribute').map(parsedAttribute))
  const groups_fault = groupsFault(groups)
  if (groups_fault !== null) throw usageError(`--group: ${groups_fault}`)
  const attributes_fault = attributesFault(attributes)
  if (attributes_fault !== null) throw usageError(`--attribute: ${attributes_fault}`)
  return {
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  }
}

function parsedAttribute(text: string): [string, unknown] {
  const equals = text.indexOf('=')
  const name = text.slice(0, equals)
  if (equals < 1) throw usageError(`--attribute ${text.slice(0, 100)}: give <name>=<JSON>`)
  try {
    return [name, JSON.parse(text.slice(equals + 1))]
  } catch {
    throw usageError(
      `--attribute ${name.slice(0, 100)}: the value is not JSON. Quote a text twice, for example '${name.slice(0, 100)}="text"'`,
    )
  }
}
