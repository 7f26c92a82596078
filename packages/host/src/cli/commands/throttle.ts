import { isIP } from 'node:net'
import type { LoginThrottleSelection } from '@ostiary/identity'
import { loggedAddress } from '../../log/addresses.js'
import { given } from '../../values/given.js'
import { type Command, type CommandInput, type CommandOption, usageError } from '../command.js'
import { iso, table } from '../output.js'
import { ofRealm } from '../workspace.js'

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
  examples: [
    ['ostiary throttle list --user ann', 'The counters of ann'],
    ['ostiary throttle list --user ann --address 192.0.2.1', 'The counters of ann and of the address'],
  ],
  ...ofRealm(async ({ throttles: { list: read } }, input) => {
    const throttles = await read(selectionOf(input))
    const rows = throttles.map(({ limit, counted, maximum, until }) => [
      limit,
      String(counted),
      String(maximum),
      iso(until),
    ])
    return { text: table(['LIMIT', 'COUNTED', 'MAXIMUM', 'UNTIL'], rows), json: { throttles } }
  }, selectionOf),
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
  examples: [
    ['ostiary throttle reset --user ann', 'Ann can sign in at once'],
    ['ostiary throttle reset --address 192.0.2.1', 'Everyone at this address can sign in at once'],
  ],
  ...ofRealm(async ({ throttles, log_addresses }, input) => {
    const selection = selectionOf(input)
    const count = await throttles.reset(selection)
    const { username, address } = selection
    const subject = {
      ...given({ username }),
      ...(address !== undefined && { address: loggedAddress(address, log_addresses) ?? '' }),
    }
    return {
      text: `Reset: ${count}`,
      json: { ...selection, reset: count },
      event: count === 0 ? null : { subject, count: { counters: count } },
    }
  }, selectionOf),
}

function selectionOf(input: CommandInput): LoginThrottleSelection {
  const username = input.text('user')
  const address = input.text('address')
  if (username === undefined && address === undefined) throw usageError('give --user, --address, or both')
  if (address !== undefined && isIP(address) === 0)
    throw usageError('--address: give an IP address, such as 192.0.2.1 or 2001:db8::1')
  return given({ username, address })
}

export const throttle: readonly Command[] = [list, reset]
