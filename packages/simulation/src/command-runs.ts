/** What the commands do. */

import { isIP } from 'node:net'
import { usernameKey } from '@ostiary/core/common'
import type { User } from '@ostiary/identity'
import type { AuthorizationOutcome } from './authorization.js'
import type { CommandTools, OpenedRealm, SimulationInput, SimulationResult } from './command-types.js'
import { noted } from './noted.js'
import { MAX_AGE_SECONDS, type SimulatedSession } from './place/session.js'
import type { SignInOutcome, SignInPlace, SignInWay } from './sign-in.js'
import { createSimulation, type Simulation } from './simulation.js'
import { SimulationError } from './simulation-error.js'
import type { ShownToken, TokensOutcome } from './tokens/simulate-tokens.js'

/** A command line. */
interface Run<Opened> {
  opened: Opened
  tools: CommandTools<Opened>
  input: SimulationInput
}

/** The same, with what is asked. */
interface Asked extends Run<OpenedRealm> {
  tools: CommandTools<never>
  simulation: Simulation
  sign_in: SignInPlace
}

const placeOf = ({ opened: { realm, audit } }: Asked) => ({ realm: realm.id, audit })

const RUNS = {
  'simulate authorization': authorization,
  'simulate tokens': tokens,
  'simulate sign-in': signIn,
}

/** The longest time of a timer: nothing else waits for a command. */
const UNLIMITED = 2 ** 31 - 1

/** @throws The errors of the command line */
export async function runCommand<Opened extends OpenedRealm>(
  name: keyof typeof RUNS,
  { opened, tools, input }: Run<Opened>,
): Promise<SimulationResult> {
  const { provider, extensions } = await tools.serverOf(opened)
  const { realm, users, factors, links, by_email, entries } = opened
  const sign_in: SignInPlace = {
    realm: realm.id,
    settings: tools.signInSettings(realm, entries.identity),
    users,
    factors,
    links,
    addresses: by_email?.extension.names?.(realm.id) ?? null,
    throttles: { list: (selection) => tools.throttlesOf(opened, selection) },
    extensions,
    passkeysFor: tools.passkeysFor,
  }
  const simulation = createSimulation({ core: tools.core, provider, within_ms: UNLIMITED })
  try {
    return await RUNS[name]({ opened, tools, input, simulation, sign_in })
  } catch (error) {
    throw error instanceof SimulationError ? tools.failure(error.message) : error
  }
}

async function authorization(asked: Asked): Promise<SimulationResult> {
  const { opened, tools, input, simulation } = asked
  const [client_id = ''] = input.args
  const parameters = parametersOf(asked)
  const user = await userOf(asked)
  const session = user && { sub: user.sub, ...sessionOf(asked) }
  const outcome = await noted(
    placeOf(asked),
    { operation: 'simulate.authorization', client_id, sub: user?.sub },
    () => simulation.authorization(opened.realm.id, { client_id, parameters, user: session }),
  )
  return { text: tools.table(authorizationRows(outcome)), json: outcome }
}

function authorizationRows(outcome: AuthorizationOutcome): string[][] {
  const { result, reason, hint, setting, scopes } = outcome
  return filled([
    ['result', result],
    ['reason', reason],
    ['error', result === 'refused' ? outcome.error : null],
    ['shown', result === 'refused' ? answerOf(outcome) : null],
    ['setting', setting],
    ['scopes', scopes?.join(' ')],
    ['advice', hint],
  ])
}

const answerOf = ({ redirects }: { redirects: boolean }): string =>
  redirects ? 'to the client' : 'as a page, to the user'

const filled = (rows: readonly (readonly [name: string, value: string | null | undefined])[]): string[][] =>
  rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]]))

async function tokens(asked: Asked): Promise<SimulationResult> {
  const { opened, tools, input, simulation } = asked
  const [client_id = ''] = input.args
  const user = await userOf(asked)
  if (user === null) throw tools.usageError('give --user or --sub: tokens are about a user')
  const scopes = (input.text('scope') ?? 'openid').split(' ').filter(Boolean)
  const { sub } = user
  const wanted = { client_id, scopes, resource: input.text('resource') ?? null }
  const outcome = await noted(placeOf(asked), { operation: 'simulate.tokens', client_id, sub }, () =>
    simulation.tokens(opened.realm.id, { ...wanted, user: { sub, ...sessionOf(asked) } }),
  )
  return { text: tokensText(outcome, tools), json: outcome }
}

function tokensText(outcome: TokensOutcome, { table }: Pick<CommandTools<never>, 'table'>): string {
  if (outcome.result !== 'tokens') {
    const { result, reason, setting, hint } = outcome
    return table(
      filled([
        ['result', result],
        ['reason', reason],
        ['setting', setting],
        ['advice', hint],
      ]),
    )
  }
  const { id_token, userinfo, access_token, scopes, token_type } = outcome
  const summary = filled([
    ['scopes', scopes.join(' ')],
    ['token_type', token_type],
    ['expires_in', `${outcome.expires_in}`],
    ['refresh_token', outcome.refresh_token ? 'yes' : 'no'],
  ])
  const parts: [string, ShownToken | null][] = [
    ['ID token', id_token],
    ['UserInfo', userinfo],
    ['access token', access_token],
  ]
  const shown = parts.flatMap(([name, token]) => (token === null ? [] : [tokenText(name, token, table)]))
  return [table(summary), ...shown].join('\n\n')
}

function tokenText(name: string, token: ShownToken, table: CommandTools<never>['table']): string {
  const { claims, withheld, bytes, read_by } = token
  return table([
    [`${name}: ${bytes} bytes, read by ${read_by.join(' and ')}`],
    ['CLAIM', 'VALUE', 'FROM'],
    ...claims.map((claim) => [claim.name, JSON.stringify(claim.value), claim.from]),
    ...withheld.map((claim) => [claim.name, '-', claim.why]),
  ])
}

async function signIn(asked: Asked): Promise<SimulationResult> {
  const { tools, input, simulation, sign_in } = asked
  const username = input.text('user')
  const address = input.text('address')
  if ((username ?? address) === undefined) throw tools.usageError('give --user, --address, or both')
  if (address !== undefined && isIP(address) === 0)
    throw tools.usageError('--address: give an IP address, such as 192.0.2.1 or 2001:db8::1')
  const outcome = await noted(placeOf(asked), { operation: 'simulate.sign_in' }, () =>
    simulation.signIn(sign_in, { username, address }),
  )
  return { text: signInText(outcome, tools), json: outcome }
}

const named = (ways: readonly SignInWay[]): string =>
  ways.length === 0 ? 'none' : ways.map(({ way, name }) => name ?? way).join(', ')

function userRows(user: SignInOutcome['user']): (readonly [name: string, value: string])[] {
  if (user === null) return []
  if (!user.is_known) return [['user', 'unknown']]
  const { username, sub, is_disabled, ways, second_factor, deletes_at } = user
  return [
    ['user', `${username} (${sub})`],
    ['disabled', is_disabled ? 'yes' : 'no'],
    ['has', named(ways)],
    ['second factor', second_factor],
    ...(deletes_at ? ([['is deleted at', timeOf(deletes_at)]] as const) : []),
  ]
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

function signInText({ ways, leads_to, user, limits }: SignInOutcome, { table }: CommandTools<never>): string {
  const summary = filled([['offered', named(ways)], ['leads to', leads_to], ...userRows(user)])
  if (limits.length === 0) return table(summary)
  const rows = limits.map(({ limit, counted, maximum, until, is_reached }) => [
    limit,
    `${counted} of ${maximum}`,
    is_reached ? 'reached' : 'not reached',
    timeOf(until),
  ])
  return [table(summary), table([['LIMIT', 'COUNTED', '', 'UNTIL'], ...rows])].join('\n\n')
}

/** Null when the command line names none. */
async function userOf({ opened: { users }, tools, input }: Asked): Promise<User | null> {
  const username = input.text('user')
  const sub = input.text('sub')
  if (username !== undefined && sub !== undefined) throw tools.usageError('give --user or --sub, not both')
  if ((username ?? sub) === undefined) return null
  const key = username === undefined ? null : usernameKey(username)
  const user = sub === undefined ? key && (await users.findByUsername(key)) : await users.find(sub)
  if (user) return user
  throw tools.notFound(`There is no user ${JSON.stringify(username ?? sub)}`)
}

function sessionOf({ tools, input }: Asked): SimulatedSession {
  const text = input.text('age') ?? '0'
  const age = Number(text)
  if (!/^\d{1,9}$/.test(text) || age > MAX_AGE_SECONDS)
    throw tools.usageError(`--age: give a number of seconds from 0 to ${MAX_AGE_SECONDS}`)
  return { level: input.text('level') === '2' ? 2 : 1, age }
}

/** Those of --url, and those of --parameter. */
function parametersOf({ tools, input }: Asked): Record<string, string[]> {
  const url = input.text('url')
  if (url !== undefined && !URL.canParse(url)) throw tools.usageError('--url: give the whole address')
  const given =
    url === undefined ? [] : [...new URL(url).searchParams].filter(([name]) => name !== 'client_id')
  for (const text of input.list('parameter')) {
    const equals = text.indexOf('=')
    if (equals < 1) throw tools.usageError(`--parameter ${text}: give it as name=value`)
    given.push([text.slice(0, equals), text.slice(equals + 1)])
  }
  const parameters: Record<string, string[]> = {}
  for (const [name, value] of given) parameters[name] = [...(parameters[name] ?? []), value]
  if ('client_id' in parameters)
    throw tools.usageError('the client is the argument: leave out --parameter client_id=…')
  return parameters
}
