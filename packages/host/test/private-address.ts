import { networkInterfaces } from 'node:os'
import { installDebian, succeeds } from '@ostiary/test-kit/debian'
import { isPrivateReceiver } from '../src/network/public-address.js'

const ADDED = '10.234.0.1'

/** An address of this machine in a private network. Where it has none and the tests run as root, the loopback gets one. */
export function privateAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => address),
  )
  const found = addresses.find(isPrivateReceiver)
  if (found !== undefined) return found
  if (!succeeds('ip', '-V')) installDebian(['iproute2'], 'an address in a private network')
  if (!succeeds('ip', 'addr', 'add', `${ADDED}/32`, 'dev', 'lo'))
    throw new Error(`This machine needs an address in a private network: ip addr add ${ADDED}/32 dev lo`)
  return ADDED
}
