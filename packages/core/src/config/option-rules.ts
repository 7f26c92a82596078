/** Checks the options of a function: one rule for each option, and a fault for each that breaks its rule. */

import { secretFault } from '../util/secret-strength.js'
import type { ConfigFault } from './config-error.js'
import { withSuggestion } from './faults.js'

/** The rule of one option. */
export interface OptionRule {
  /** What to give, when the option is required and missing; null for an option that may be absent. */
  missing: string | null
  /** What is wrong with a value, and what to give instead; null when it is valid. Never contains the value. */
  fault(value: unknown): string | null
  /** Rules of the members, for an option that is an object with functions. Further members are allowed. */
  members?: Readonly<Record<string, OptionRule>>
  /** How messages name the option, when that is not its own name. */
  source?: string
}

/** An option that may be absent. */
export const optional = (fault: OptionRule['fault']): OptionRule => ({ missing: null, fault })

/** The fault of a value that is not a function. */
const functionFault = (value: unknown): string | null =>
  typeof value === 'function' ? null : `give a function, not ${kindOf(value)}`

/** A function that may be absent. */
export const optionalFunction: OptionRule = optional(functionFault)

/** A function that has to be given. */
export const requiredFunction = (missing: string): OptionRule => ({ missing, fault: functionFault })

/** The fault of a value that is not a boolean. */
export const booleanFault = (value: unknown): string | null =>
  typeof value === 'boolean' ? null : 'give true or false'

/** The fault of a value that is not an object. */
export const objectFault = (value: unknown): string | null =>
  isObject(value) ? null : `give an object, not ${kindOf(value)}`

/** The rule of a provider's secret. */
export const secretRule: OptionRule = {
  missing: 'missing; give at least 32 random characters, such as the output of: openssl rand -base64 32',
  fault: (value) =>
    typeof value === 'string' ? secretFault(value) : `give the characters as a string, not ${kindOf(value)}`,
}

/**
 * The faults of the options, in the order of the rules; then the unknown options.
 * @param options What the caller gave.
 */
export function optionFaults(options: unknown, rules: Readonly<Record<string, OptionRule>>): ConfigFault[] {
  const fault = objectFault(options)
  if (fault !== null) return [{ path: '', message: `the options: ${fault}` }]
  const known = Object.keys(rules)
  const unknown = Object.keys(options as object).filter((name) => !known.includes(name))
  return [
    ...memberFaults(options as Record<string, unknown>, rules, ''),
    ...unknown.map((name) => withSuggestion({ path: name, message: 'there is no such option' }, name, known)),
  ]
}

function memberFaults(
  values: Record<string, unknown>,
  rules: Readonly<Record<string, OptionRule>>,
  group: string,
): ConfigFault[] {
  return Object.entries(rules).flatMap(([name, rule]): ConfigFault[] => {
    const path = group + name
    const value = values[name]
    const message = value === undefined ? rule.missing : rule.fault(value)
    if (message !== null) return [{ path, message, ...(rule.source && { source: rule.source }) }]
    if (value === undefined || rule.members === undefined) return []
    const members = value as Record<string, unknown>
    return [...memberFaults(members, rule.members, `${path}.`), ...misspelled(members, rule.members, path)]
  })
}

/** An object of the application may have more members than the rules; one that is nearly a missing one is a mistake. */
function misspelled(
  members: Record<string, unknown>,
  rules: Readonly<Record<string, OptionRule>>,
  path: string,
): ConfigFault[] {
  const absent = Object.keys(rules).filter((name) => members[name] === undefined)
  return Object.keys(members)
    .filter((name) => !Object.hasOwn(rules, name))
    .map((name) => withSuggestion({ path: `${path}.${name}`, message: 'unknown' }, name, absent))
    .filter(({ meant }) => meant !== undefined)
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
