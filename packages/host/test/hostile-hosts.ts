/** Addresses that no request of a client may reach, and hosts that answer with what they choose. */

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export const HOSTILE = [
  ['this host', '0.0.0.0'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.255'],
  ['private 192.168/16', '192.168.1.1'],
  ['loopback', '127.0.0.1'],
  ['loopback elsewhere in 127/8', '127.8.8.8'],
  ['link-local', '169.254.1.1'],
  ['cloud metadata', '169.254.169.254'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['metadata of Alibaba Cloud, within carrier-grade NAT', '100.100.100.200'],
  ['services of Azure', '168.63.129.16'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '203.0.113.1'],
  ['benchmarking', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 unique local', 'fd00::1'],
  ['IPv6 cloud metadata', 'fd00:ec2::254'],
  ['IPv6 multicast', 'ff02::1'],
  ['v4-mapped loopback', '::ffff:127.0.0.1'],
  ['v4-mapped loopback in hex', '::ffff:7f00:1'],
  ['v4-mapped public', '::ffff:93.184.216.34'],
  ['v4-compatible', '::127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 local use', '64:ff9b:1::7f00:1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['AS112', '192.175.48.1'],
  ['IPv6 documentation', '2001:db8::1'],
] as const

/** Other ways to write 127.0.0.1. */
export const DISGUISED = [
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
] as const

/** A receiver that answers a request with bytes of the test's choice. */
export async function rawReceiver(
  answer: (socket: Socket) => void,
): Promise<{ url: string; closed: Promise<unknown> }> {
  const server = createServer()
  onTestFinished(() => void server.close())
  const closed = new Promise((resolve) => {
    server.on('connection', (socket) => {
      // The client closes the connection while bytes are still sent to it.
      socket.on('error', () => {}).once('close', resolve)
      socket.once('data', () => answer(socket))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, closed }
}

export function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5)
  socket.once('close', () => clearInterval(timer))
}
