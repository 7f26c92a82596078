/** What is wrong with a value, in sentences that say what to give: in place of the messages of zod. */

import type * as z from 'zod'

/** The result of `schema.safeParse(value)`, whose issues have messages for the writer of the value. Those of the schema itself stay. */
export const readBy = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> => schema.safeParse(value, { error: issueText })

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object, { … }',
  record: 'an object, { … }',
}

/** What is counted in a value of this kind: one, and several. */
const PARTS: Readonly<Record<string, readonly [string, string]>> = {
  string: [' character', ' characters'],
  array: [' entry', ' entries'],
}

function issueText(issue: z.core.$ZodRawIssue): string {
  const missing = issue.input === undefined ? 'missing: ' : ''
  switch (issue.code) {
    case 'invalid_type':
      return `${missing}give ${KINDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `${missing}give ${oneOf(issue.values)}`
    case 'too_small':
      return limitText(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')
    case 'too_big':
      return limitText(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')
    case 'unrecognized_keys':
      return `there is no such key: ${issue.keys.join(', ')}`
    case 'invalid_format':
      return `give a text of the form ${issue.pattern ?? issue.format}`
    case 'invalid_key':
      return issue.issues[0]?.message ?? NOT_ALLOWED
    case 'invalid_union':
      return issue.errors[0]?.[0]?.message ?? `${missing}give ${oneOf(issue.options as unknown[])}`
    default:
      return NOT_ALLOWED
  }
}

/** `a, b or c` */
const oneOf = (values: readonly unknown[]): string => values.join(', ').replace(/, ([^,]*)$/, ' or $1')

const NOT_ALLOWED = 'this value is not allowed'

function limitText({ origin }: { origin: string }, limit: number | bigint, bound: string): string {
  return `give ${bound} ${limit}${PARTS[origin]?.[limit === 1 ? 0 : 1] ?? ''}`
}
