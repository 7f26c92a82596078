import { isIP } from 'node:net'
import { addressKeys, counterOf, SITE_SHARE } from '@ostiary/core'
import { type LoginThrottleSelection, loginThrottles } from '@ostiary/identity'
import { type Command, type CommandInput, type CommandOption, usageError } from '../command.js'
import { iso, table } from '../output.js'
import { inRealm, type Workspace } from '../workspace.js'

const SELECTION: Readonly<Record<string, CommandOption>> = {
  user: { value: 'username', help: 'What is counted for this account, whether it exists or not' },
  address: { value: 'ip', help: 'What is counted for this client address, and for the IPv6 /48 around it' },
}

const LIMITS =
  'A login limit is named as in the events: account, account_and_address, address, site, device, session. register, authorize and client_secret are those of oidc.throttle.'

const list: Command = {
  name: 'throttle list',
  summary: 'Show what is counted for an account or an address',
  about: [LIMITS, 'What is counted for one account at one address is shown with --user.'],
  options: SELECTION,
  of_realm: true,
  examples: [
    ['ostiary throttle list --user ann', 'Why ann has to wait'],
    ['ostiary throttle list --user ann --address 192.0.2.1', 'Everything that stands in her way there'],
  ],
  run(input, context) {
    const selection = selectionOf(input)
    return inRealm(input, context, async (workspace) => {
      const throttles = await running(workspace, selection)
      const rows = throttles.map(({ limit, counted, maximum, until }) => [
        limit,
        String(counted),
        String(maximum),
        iso(until),
      ])
      return { text: table(['LIMIT', 'COUNTED', 'MAXIMUM', 'UNTIL'], rows), json: { throttles } }
    })
  },
}

const reset: Command = {
  name: 'throttle reset',
  summary: 'Let an account or an address try again at once',
  about: [
    'Counting starts anew. Do it when you know who is trying: what stopped a guesser may go on. A server that refuses an address for wrong client secrets goes on until the quarter of an hour ends.',
    LIMITS,
  ],
  options: SELECTION,
  of_realm: true,
  examples: [
    ['ostiary throttle reset --user ann', 'Ann need not wait'],
    ['ostiary throttle reset --address 192.0.2.1', 'Nor need an office behind one address'],
  ],
  run(input, context) {
    const selection = selectionOf(input)
    return inRealm(input, context, async (workspace) => {
      const { throttle } = workspace.storage
      let count = await loginThrottlesOf(workspace).reset(selection)
      for (const { key } of await requestThrottles(workspace, selection)) count += await throttle.reset(key)
      return { text: `Reset: ${count}`, json: { ...selection, reset: count } }
    })
  },
}

function selectionOf(input: CommandInput): LoginThrottleSelection {
  const username = input.text('user')
  const address = input.text('address')
  if (username === undefined && address === undefined) throw usageError('give --user, --address, or both')
  if (address !== undefined && isIP(address) === 0)
    throw usageError('--address is an IP address, such as 192.0.2.1 or 2001:db8::1')
  return { ...(username !== undefined && { username }), ...(address !== undefined && { address }) }
}

interface RunningThrottle {
  limit: string
  counted: number
  maximum: number
  /** Epoch seconds. */
  until: number
}

async function running(workspace: Workspace, selection: LoginThrottleSelection): Promise<RunningThrottle[]> {
  const logins = await loginThrottlesOf(workspace).list(selection, seconds())
  const requests = await requestThrottles(workspace, selection)
  return [
    ...logins.map(({ limit, failures, maximum, until }) => ({ limit, counted: failures, maximum, until })),
    ...requests.map(({ key: _, ...request }) => request),
  ]
}

/** Those of the provider, which name the address itself. Those of client secrets name the client behind it. */
async function requestThrottles(
  { storage, realm }: Workspace,
  { address }: LoginThrottleSelection,
): Promise<(RunningThrottle & { key: string })[]> {
  if (address === undefined) return []
  const keys = addressKeys(address)
  const { register, authorize, client_secret } = realm.settings.throttle
  const ofSite = (name: string, maximum: number) =>
    keys.site === null
      ? []
      : [{ limit: `${name} (/48)`, prefix: counterOf(name, keys.site), maximum: maximum * SITE_SHARE }]
  const named = [
    { limit: 'register', prefix: counterOf('register', keys.address), maximum: register },
    ...ofSite('register', register),
    { limit: 'authorize', prefix: counterOf('authorize', keys.address), maximum: authorize },
    ...ofSite('authorize', authorize),
    { limit: 'client_secret', prefix: counterOf('client-secret', keys.address), maximum: client_secret },
  ]
  const windows = await Promise.all(
    named.map(async ({ limit, prefix, maximum }) => {
      const all = await storage.throttle.list(prefix, seconds())
      return all
        .filter(({ hits }) => hits > 0)
        .map(({ key, hits, ends_at }) => ({ key, limit, maximum, counted: hits, until: ends_at }))
    }),
  )
  return windows.flat()
}

const loginThrottlesOf = ({ config, realm, storage }: Workspace) =>
  loginThrottles({
    realm: realm.id,
    throttle: storage.throttle,
    secret: config.secret,
    ...(config.login && { limits: config.login }),
  })

const seconds = () => Math.floor(Date.now() / 1000)

export const throttle = [list, reset]
