/** What the commands do. */

import { isIP } from 'node:net'
import { usernameKey } from '@ostiary/core/common'
import type { User } from '@ostiary/identity'
import type { AuthorizationOutcome } from './authorization.js'
import type { Ask } from './command-places.js'
import type { LineTools, SimulationInput, SimulationResult, Users } from './command-types.js'
import type { Cause } from './outcome.js'
import { MAX_AGE_SECONDS, type SimulatedSession } from './place/session.js'
import type { SignInOutcome, SignInWay } from './sign-in.js'
import type { ShownToken, TokensOutcome } from './tokens/simulate-tokens.js'

export { askHere, askServer } from './command-places.js'

/** A command line, in its realm. */
interface Asked {
  users: Users
  tools: LineTools
  input: SimulationInput
  ask: Ask
}

const RUNS = {
  'simulate authorization': authorization,
  'simulate tokens': tokens,
  'simulate sign-in': signIn,
}

/** @throws The errors of the command line */
export const runCommand = (name: keyof typeof RUNS, asked: Asked): Promise<SimulationResult> =>
  RUNS[name](asked)

async function authorization(asked: Asked): Promise<SimulationResult> {
  const { tools, input, ask } = asked
  const [client_id = ''] = input.args
  const parameters = parametersOf(asked)
  const user = await userOf(asked)
  const signed_in = user && { sub: user.sub, session: sessionOf(asked) }
  const outcome = await ask('authorization', { client_id, parameters, ...signed_in })
  return { text: tools.table(authorizationRows(outcome)), json: outcome }
}

function authorizationRows(outcome: AuthorizationOutcome): string[][] {
  const scopes = outcome.scopes?.join(' ')
  if (outcome.result !== 'refused') return outcomeRows(outcome, { scopes })
  const { error, redirects } = outcome
  return outcomeRows(outcome, { error, shown: redirects ? 'to the client' : 'as a page, to the user' })
}

interface Told {
  error?: string
  shown?: string
  scopes?: string | undefined
}

const outcomeRows = (
  { result, reason, setting, hint }: Cause & { result: string },
  { error, shown, scopes }: Told = {},
): string[][] =>
  filled([
    ['result', result],
    ['reason', reason],
    ['error', error],
    ['shown', shown],
    ['setting', setting],
    ['scopes', scopes],
    ['advice', hint],
  ])

type Rows = readonly (readonly [name: string, value: string | null | undefined])[]

const filled = (rows: Rows): string[][] =>
  rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]]))

async function tokens(asked: Asked): Promise<SimulationResult> {
  const { tools, input, ask } = asked
  const [client_id = ''] = input.args
  const user = await userOf(asked)
  if (user === null) throw tools.usageError('give --user or --sub: tokens are about a user')
  const scopes = (input.text('scope') ?? 'openid').split(' ').filter(Boolean)
  const resource = input.text('resource')
  const session = sessionOf(asked)
  const outcome = await ask('tokens', { client_id, sub: user.sub, scopes, resource, session })
  return { text: tokensText(outcome, tools), json: outcome }
}

function tokensText(outcome: TokensOutcome, { table }: LineTools): string {
  if (outcome.result !== 'tokens') return table(outcomeRows(outcome))
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
  const shown = parts.flatMap(([name, token]) => (token ? [tokenText(name, token, table)] : []))
  return [table(summary), ...shown].join('\n\n')
}

function tokenText(name: string, token: ShownToken, table: LineTools['table']): string {
  const { claims, withheld, bytes, read_by } = token
  return table([
    [`${name}: ${bytes} bytes, read by ${read_by.join(' and ')}`],
    ['CLAIM', 'VALUE', 'FROM'],
    ...claims.map((claim) => [claim.name, JSON.stringify(claim.value), claim.from]),
    ...withheld.map((claim) => [claim.name, '-', claim.why]),
  ])
}

async function signIn({ tools, input, ask }: Asked): Promise<SimulationResult> {
  const username = input.text('user')
  const address = input.text('address')
  if ((username ?? address) === undefined) throw tools.usageError('give --user, --address, or both')
  if (address !== undefined && isIP(address) === 0)
    throw tools.usageError('--address: give an IP address, such as 192.0.2.1 or 2001:db8::1')
  const outcome = await ask('sign-in', { username, address })
  return { text: signInText(outcome, tools), json: outcome }
}

const named = (ways: readonly SignInWay[]): string =>
  ways.length === 0 ? 'none' : ways.map(({ way, name }) => name ?? way).join(', ')

function userRows(user: SignInOutcome['user']): Rows {
  if (user === null) return []
  if (!user.is_known) return [['user', 'unknown']]
  const { username, sub, is_disabled, ways, second_factor, deletes_at } = user
  return [
    ['user', `${username} (${sub})`],
    ['disabled', is_disabled ? 'yes' : 'no'],
    ['has', named(ways)],
    ['second factor', second_factor],
    ['is deleted at', deletes_at ? timeOf(deletes_at) : null],
  ]
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

function signInText({ ways, leads_to, user, limits }: SignInOutcome, { table }: LineTools): string {
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
async function userOf({ users, tools, input }: Asked): Promise<User | null> {
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
  const given = new URLSearchParams(url && new URL(url).search)
  given.delete('client_id')
  for (const text of input.list('parameter')) {
    const equals = text.indexOf('=')
    if (equals < 1) throw tools.usageError(`--parameter ${text}: give it as name=value`)
    given.append(text.slice(0, equals), text.slice(equals + 1))
  }
  if (given.has('client_id'))
    throw tools.usageError('the client is the argument: leave out --parameter client_id=…')
  return Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]))
}
