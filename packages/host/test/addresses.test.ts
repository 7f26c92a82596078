import { describe, expect, it } from 'vitest'
import { trustedProxies } from '../src/network/client-address.ts'

const TRUSTED = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

interface Case {
  trusted?: string[]
  socket: string | undefined
  forwarded: string | null
  is: string | undefined
  /** The unlisted proxy that claims the address. */
  peer?: string
  because: string
}

describe('the client’s address', () => {
  const CASES: Case[] = [
    {
      trusted: [],
      socket: '203.0.113.5',
      forwarded: '1.1.1.1',
      is: '203.0.113.5',
      because: 'no proxy is trusted',
    },
    {
      trusted: [],
      socket: '10.0.0.1',
      forwarded: null,
      is: '10.0.0.1',
      because: 'the client is in the private network',
    },
    ...[
      '10.0.0.1',
      '172.31.255.1',
      '192.168.1.1',
      '169.254.1.1',
      '100.64.0.1',
      '127.0.0.1',
      '::1',
      'fd00::1',
      'fe80::1',
    ].map((socket) => ({
      trusted: ['192.0.2.7'],
      socket,
      forwarded: '198.51.100.9',
      is: '198.51.100.9',
      peer: socket,
      because: `${socket} is probably a proxy that trusted_proxies does not name`,
    })),
    ...['172.32.0.1', '192.169.1.1', '100.128.0.1', '11.0.0.1', '2001:db8::1', 'fec0::1'].map((socket) => ({
      trusted: [],
      socket,
      forwarded: '198.51.100.9, 10.0.0.1',
      is: socket,
      because: `${socket} is not a trusted proxy`,
    })),
    {
      socket: '203.0.113.5',
      forwarded: '198.51.100.9',
      is: '203.0.113.5',
      because: 'only a trusted proxy is believed',
    },
    {
      socket: '10.0.0.1',
      forwarded: '198.51.100.9',
      is: '198.51.100.9',
      because: 'a trusted proxy wrote it',
    },
    { socket: '10.0.0.1', forwarded: null, is: '10.0.0.1', because: 'the proxy wrote nothing' },
    {
      socket: '10.0.0.1',
      forwarded: '1.1.1.1, 198.51.100.9',
      is: '198.51.100.9',
      because: 'the part that the client wrote does not count',
    },
    {
      socket: '10.0.0.1',
      forwarded: '1.1.1.1, 198.51.100.9, 10.2.3.4, 192.0.2.7',
      is: '198.51.100.9',
      because: 'there are several trusted proxies',
    },
    { socket: '10.0.0.1', forwarded: 'unknown', is: '10.0.0.1', because: 'the header holds no address' },
    {
      socket: '10.0.0.1',
      forwarded: '198.51.100.9:4711',
      is: '198.51.100.9',
      because: 'a proxy may add the port',
    },
    {
      socket: '10.0.0.1',
      forwarded: '[2001:db8::1]:80',
      is: '2001:db8::1',
      because: 'a proxy may add brackets and the port',
    },
    {
      socket: '::ffff:10.0.0.1',
      forwarded: '198.51.100.9',
      is: '198.51.100.9',
      because: 'the socket is dual-stack',
    },
    {
      socket: 'fd00::1',
      forwarded: '2001:db8::1',
      is: '2001:db8::1',
      because: 'an IPv6 proxy is trusted too',
    },
    {
      socket: '10.0.0.1',
      forwarded: '10.0.0.2',
      is: '10.0.0.2',
      because: 'the client is in the range of the proxies',
    },
    ...['x', 'unknown', '', '198.51.100.9, x'].map((forwarded) => ({
      trusted: [],
      socket: '10.0.0.1',
      forwarded,
      is: '10.0.0.1',
      because: `"${forwarded}" claims no address`,
    })),
    {
      trusted: [],
      socket: '10.0.0.1',
      forwarded: '1.1.1.1, 198.51.100.9',
      is: '198.51.100.9',
      peer: '10.0.0.1',
      because: 'only what the peer itself has added may be its client',
    },
    { socket: undefined, forwarded: '198.51.100.9', is: undefined, because: 'the socket is closed' },
  ]
  it.each(CASES)('is $is: $because', ({ trusted = TRUSTED, socket, forwarded, is, peer }: Case) => {
    expect(
      trustedProxies(trusted).senderOf(
        socket,
        new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }),
      ),
    ).toEqual({ address: is, peer })
  })
})

it.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['203.0.113.5', false],
  [undefined, false],
])('%s is a trusted proxy: %j', (socket, trusted) => {
  expect(trustedProxies(TRUSTED).trusts(socket)).toBe(trusted)
  expect(trustedProxies([]).trusts(socket)).toBe(false)
})
