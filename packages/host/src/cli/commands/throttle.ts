import { isIP } from 'node:net'
import { counterOf, networksOf, shareCounter, shareOf } from '@ostiary/core'
import { type LoginThrottleSelection, loginThrottles, usernameKey } from '@ostiary/identity'
import { loggedAddress } from '../../log/addresses.js'
import { type Command, type CommandInput, type CommandOption, usageError } from '../command.js'
import { given } from '../given.js'
import { iso, table } from '../output.js'
import { inRealm, nowSeconds, type Workspace } from '../workspace.js'

const SELECTION_OPTIONS: Readonly<Record<string, CommandOption>> = {
  user: { value: 'username', help: 'Counters of this account, whether it exists or not' },
  address: { value: 'ip', help: 'Counters of this client address, and of its IPv6 /48' },
}

const LIMIT_NAMES = [
  'The limits have the names of the events: account, account_and_address, address, site, device and session of sign-ins; those of wrong codes begin with code, those of mails with mail_.',
  'register, registrations_per_day (the share of one address), authorize and client_secret are the limits of oidc.throttle.',
]

const list: Command = {
  name: 'throttle list',
  effect: 'reads',
  summary: 'List the counters of an account or an address',
  about: [...LIMIT_NAMES, 'The counters of one account at one address are shown with --user.'],
  options: SELECTION_OPTIONS,
  of_realm: true,
  examples: [
    ['ostiary throttle list --user ann', 'The counters of ann'],
    ['ostiary throttle list --user ann --address 192.0.2.1', 'The counters of ann and of the address'],
  ],
  run(input, context) {
    const selection = selectionOf(input)
    return inRealm(input, context, async (workspace) => {
      const throttles = await activeThrottles(workspace, selection)
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
  effect: 'changes',
  summary: 'Reset the counters of an account or an address',
  about: [
    'The account or the address may try again at once. Reset a counter only if you know who is trying: it may have stopped an attacker. A server that refuses an address because of wrong client secrets does so until the 15 minutes end.',
    ...LIMIT_NAMES,
  ],
  options: SELECTION_OPTIONS,
  of_realm: true,
  examples: [
    ['ostiary throttle reset --user ann', 'Ann can sign in at once'],
    ['ostiary throttle reset --address 192.0.2.1', 'Everyone at this address can sign in at once'],
  ],
  run(input, context) {
    const selection = selectionOf(input)
    return inRealm(input, context, async (workspace) => {
      const { throttle } = workspace.storage
      let count = await loginThrottlesOf(workspace).reset(selection)
      const mails = await mailThrottlesOf(workspace, selection)
      count += (await mails?.throttles.reset(mails.selection)) ?? 0
      for (const { key } of await requestThrottles(workspace, selection)) count += await throttle.reset(key)
      const { username, address } = selection
      const addresses = workspace.config.log?.addresses ?? 'truncated'
      const subject = {
        ...given({ username }),
        ...(address !== undefined && { address: loggedAddress(address, addresses) ?? '' }),
      }
      const event = { subject, count: { counters: count } }
      return {
        text: `Reset: ${count}`,
        json: { ...selection, reset: count },
        event: count === 0 ? null : event,
      }
    })
  },
}

function selectionOf(input: CommandInput): LoginThrottleSelection {
  const username = input.text('user')
  const address = input.text('address')
  if (username === undefined && address === undefined) throw usageError('give --user, --address, or both')
  if (address !== undefined && isIP(address) === 0)
    throw usageError('--address: give an IP address, such as 192.0.2.1 or 2001:db8::1')
  return given({ username, address })
}

/** A counter that is not zero. */
interface ActiveThrottle {
  limit: string
  counted: number
  maximum: number
  /** Epoch seconds. */
  until: number
}

async function activeThrottles(
  workspace: Workspace,
  selection: LoginThrottleSelection,
): Promise<ActiveThrottle[]> {
  const logins = await loginThrottlesOf(workspace).list(selection, nowSeconds())
  const requests = await requestThrottles(workspace, selection)
  const mails = await mailThrottlesOf(workspace, selection)
  const mailed = (await mails?.throttles.list(mails.selection, nowSeconds())) ?? []
  return [
    ...logins.map(({ limit, failures, maximum, until }) => ({ limit, counted: failures, maximum, until })),
    ...mailed.map(({ limit, mails: counted, maximum, until }) => ({ limit, counted, maximum, until })),
    ...requests.map(({ key: _, ...request }) => request),
  ]
}

/** The provider's counters of an address. The key of a client-secret counter also contains the client_id. */
async function requestThrottles(
  { storage, realm }: Workspace,
  { address }: LoginThrottleSelection,
): Promise<(ActiveThrottle & { key: string })[]> {
  if (address === undefined) return []
  const { register, registrations_per_day, authorize, client_secret } = realm.settings.throttle
  const networks = networksOf({ address, peer: null })
  const perAddress = (limit: string, name: string, maximum: number) =>
    networks.map(({ key, factor }) => ({
      limit: factor === 1 ? limit : `${limit} (/48)`,
      prefix: counterOf(name, key),
      maximum: maximum * factor,
    }))
  const shares = networks.map(({ key, factor, share }) => ({
    limit: factor === 1 ? 'registrations_per_day' : 'registrations_per_day (/48)',
    prefix: shareCounter('registrations', key),
    maximum: shareOf(registrations_per_day, 0, share),
  }))
  const limits = [
    ...perAddress('register', 'register', register),
    ...shares,
    ...perAddress('authorize', 'authorize', authorize),
    ...perAddress('client_secret', 'client-secret', client_secret),
  ]
  const throttles = await Promise.all(
    limits.map(async ({ limit, prefix, maximum }) => {
      const counters = await storage.throttle.list(prefix, nowSeconds())
      return counters
        .filter(({ hits }) => hits > 0)
        .map(({ key, hits, ends_at }) => ({ key, limit, maximum, counted: hits, until: ends_at }))
    }),
  )
  return throttles.flat()
}

const loginThrottlesOf = ({ config, realm, storage }: Workspace) =>
  loginThrottles({
    realm: realm.id,
    throttle: storage.throttle,
    secret: config.secret,
    ...(config.login && { limits: config.login }),
  })

/** Null for a realm that mails nothing. */
async function mailThrottlesOf(
  { config, entries, realm, storage, users }: Workspace,
  selection: LoginThrottleSelection,
) {
  if (entries.mail === null) return null
  const { mailThrottles } = await import('@ostiary/identity/mail')
  const { secret } = config
  const { per_hour } = entries.mail
  const throttles = mailThrottles({ realm: realm.id, throttle: storage.throttle, secret, per_hour })
  const key = usernameKey(selection.username ?? '')
  const user = key && (await users.findByUsername(key))
  return { throttles, selection: { ...selection, ...(user && { sub: user.sub }) } }
}

export const throttle: readonly Command[] = [list, reset]
