import { describe, expect, it } from 'vitest'
import { trustedProxies } from '../src/network/client-address.ts'

const TRUSTED = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

describe('the client’s address', () => {
  it.each([
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
      because: 'it is a request from inside',
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
      is: undefined,
      because: `${socket} is probably a proxy that is not named`,
    })),
    ...['172.32.0.1', '192.169.1.1', '100.128.0.1', '11.0.0.1', '2001:db8::1', 'fec0::1'].map((socket) => ({
      trusted: [],
      socket,
      forwarded: '198.51.100.9, 10.0.0.1',
      is: socket,
      because: `${socket} is a stranger`,
    })),
    {
      socket: '203.0.113.5',
      forwarded: '198.51.100.9',
      is: '203.0.113.5',
      because: 'a stranger may say anything',
    },
    { socket: '10.0.0.1', forwarded: '198.51.100.9', is: '198.51.100.9', because: 'our proxy wrote it' },
    { socket: '10.0.0.1', forwarded: null, is: '10.0.0.1', because: 'the proxy wrote nothing' },
    {
      socket: '10.0.0.1',
      forwarded: '1.1.1.1, 198.51.100.9',
      is: '198.51.100.9',
      because: 'what the client itself wrote does not count',
    },
    {
      socket: '10.0.0.1',
      forwarded: '1.1.1.1, 198.51.100.9, 10.2.3.4, 192.0.2.7',
      is: '198.51.100.9',
      because: 'several proxies of ours',
    },
    { socket: '10.0.0.1', forwarded: 'unknown', is: '10.0.0.1', because: 'that is no address' },
    {
      socket: '10.0.0.1',
      forwarded: '198.51.100.9:4711',
      is: '198.51.100.9',
      because: 'some write the port',
    },
    { socket: '10.0.0.1', forwarded: '[2001:db8::1]:80', is: '2001:db8::1', because: 'and brackets' },
    {
      socket: '::ffff:10.0.0.1',
      forwarded: '198.51.100.9',
      is: '198.51.100.9',
      because: 'a dual-stack socket',
    },
    { socket: 'fd00::1', forwarded: '2001:db8::1', is: '2001:db8::1', because: 'IPv6 proxies too' },
    { socket: '10.0.0.1', forwarded: '10.0.0.2', is: '10.0.0.2', because: 'a request from inside' },
    { socket: undefined, forwarded: '198.51.100.9', is: undefined, because: 'the socket is gone' },
  ])('is $is: $because', ({ trusted = TRUSTED, socket, forwarded, is }) => {
    expect(
      trustedProxies(trusted).clientOf(
        socket,
        new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }),
      ),
    ).toBe(is)
  })
})

it.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['203.0.113.5', false],
  [undefined, false],
])('%s is one of ours: %j', (socket, ours) => {
  expect(trustedProxies(TRUSTED).trusts(socket)).toBe(ours)
  expect(trustedProxies([]).trusts(socket)).toBe(false)
})
