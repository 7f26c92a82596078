/** Where a command asks: here as the admin API does, or the admin API of a server. */

import type { AuthorizationOutcome } from './authorization.js'
import type { CommandTools, LineTools, OpenedRealm, Send } from './command-types.js'
import { authorizationAnswer, signInAnswer, tokensAnswer } from './operation-schemas.js'
import { operationsOf } from './operations.js'
import type { SignInOutcome } from './sign-in.js'
import { SimulationError } from './simulation-error.js'
import type { TokensOutcome } from './tokens/simulate-tokens.js'

/** By the last part of the path of the operation. */
interface Outcomes {
  authorization: AuthorizationOutcome
  tokens: TokensOutcome
  'sign-in': SignInOutcome
}

/** Asks an operation of the admin API. @param body Of its request. @throws `failure` of the command line */
export type Ask = <Name extends keyof Outcomes>(name: Name, body: object) => Promise<Outcomes[Name]>

/** The longest time of a timer: nothing else waits for a command. */
const UNLIMITED = 2 ** 31 - 1

/** On this machine. */
export const askHere = <Opened extends OpenedRealm>(opened: Opened, tools: CommandTools<Opened>): Ask =>
  async function ask<Name extends keyof Outcomes>(name: Name, given: object) {
    const sources = { ...tools, ...(await tools.serverOf(opened)), within_ms: UNLIMITED }
    const { body: schema, run } = operationsOf(sources)[name]
    const { realm, users, factors, links, by_email, entries, audit } = opened
    const { data, error } = tools.core.readBy(schema, given)
    if (error)
      throw tools.failure(
        error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('; '),
      )
    const parts = async () => ({
      settings: tools.signInSettings(realm, entries.identity),
      factors,
      links,
      addresses: by_email?.extension.names?.(realm.id) ?? null,
      throttles: tools.throttlesOf(opened),
    })
    try {
      const { body } = await run(
        { realm: realm.id, users, audit, parts },
        { query: undefined as never, body: data as never },
      )
      return body as Outcomes[Name]
    } catch (error) {
      throw error instanceof SimulationError ? tools.failure(error.message) : error
    }
  }

const hasAll = (shown: object, ...names: string[]): boolean => names.every((name) => name in shown)

/** With all that is shown. */
const ANSWERS = {
  authorization: authorizationAnswer,
  tokens: tokensAnswer.refine(
    (answer) =>
      answer.result !== 'tokens' || hasAll(answer, 'scopes', 'token_type', 'expires_in', 'refresh_token'),
  ),
  'sign-in': signInAnswer.refine(
    ({ user }) => !user?.is_known || hasAll(user, 'sub', 'username', 'is_disabled', 'ways', 'second_factor'),
  ),
}

/** On a server. What it answers is checked before it is shown. */
export const askServer = (send: Send, { failure }: LineTools): Ask =>
  async function ask<Name extends keyof Outcomes>(name: Name, body: object) {
    const answer = await send('POST', ['simulate', name], { body })
    if (ANSWERS[name].safeParse(answer).success) return answer as Outcomes[Name]
    throw failure(
      'The answer about simulations is not that of the admin API: is this the address of the server?',
    )
  }
