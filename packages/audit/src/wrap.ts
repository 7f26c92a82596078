/** Puts the rows of changes before the functions of management and of the stores. */

import type { Changes, RequestOrigin, Subject } from './changes.js'
import type { ChangeRule, Rule, Rules } from './rules.js'

/** Who changes something, and where. */
export interface ChangePlace {
  changes: Changes
  realm: string
  actor: (subject: Subject) => string
  request?: RequestOrigin | undefined
}

type AnyFunction = (...args: unknown[]) => Promise<unknown>

/** The same functions, and those that change something write a row first. */
export function withRows<Target extends object>(
  target: Target,
  rules: Rules<Target>,
  place: ChangePlace,
): Target {
  const wrapped = { ...target } as Record<string, unknown>
  for (const [name, rule] of Object.entries<Rule<Target> | Rules<object>>(rules)) {
    const own = wrapped[name]
    if (rule === 'reads' || rule === 'told') continue
    if (isChange(rule)) wrapped[name] = recorded(target, { rule, run: own as AnyFunction }, place)
    else wrapped[name] = withRows(own as object, rule, place)
  }
  return wrapped as Target
}

const isChange = <Target>(rule: Rule<Target> | Rules<object>): rule is ChangeRule<Target> =>
  typeof rule === 'object' && 'subject' in rule

function recorded<Target extends object>(
  target: Target,
  { rule, run }: { rule: ChangeRule<Target>; run: AnyFunction },
  { changes, realm, actor, request }: ChangePlace,
): AnyFunction {
  const { type, record, told, when } = rule as unknown as ChangeRule<Target, unknown[], unknown>
  return (...args) => {
    if (when && !when(...args)) return run(...args)
    let subject = rule.subject(...(args as never[]))
    const change = { realm, type, actor: actor(subject), request, ...subject }
    return changes.recorded(change, {
      run: () => run(...args),
      ...(record && { record: () => record(target, subject, ...args) }),
      told(result) {
        const more = told?.(result) ?? {}
        subject = { ...subject, ...more }
        return more
      },
    })
  }
}
