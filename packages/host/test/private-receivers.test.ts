/** Back-channel logout to receivers in private networks: `backchannel.private_hosts`. The sockets are real. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { documentServer } from '@ostiary/test-kit/document-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { backchannelSchema, privateHost } from '../src/config/backchannel-settings.js'
import { guardedFetch } from '../src/network/guarded-fetch.js'
import { isPrivateReceiver } from '../src/network/public-address.js'
import { logoutFetches } from '../src/server/compose-provider.js'
import { RUNTIME } from './_sources.ts'
import { HOSTILE } from './hostile-hosts.ts'
import { privateAddress } from './private-address.ts'

const HOST = 'logout.internal'

/** A receiver at a private address, which answers 204 to every request and counts them. */
type Receiver = Awaited<ReturnType<typeof receiver>>

async function receiver() {
  const address = privateAddress()
  const server = await documentServer([HOST], address)
  onTestFinished(() => server.close())
  const url = server.url(HOST, '/logout')
  server.put(url, (_, response) => void response.writeHead(204).end())
  return { address, server, url }
}

async function send({ server, address }: Receiver, private_hosts: string[], urls: string[]) {
  const script = fileURLToPath(new URL('send-privately.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...RUNTIME, script, JSON.stringify(private_hosts), address, ...urls],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: server.ca_file } },
  )
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('a receiver with an address in a private network', () => {
  it('is reached by https at the host and the port that are listed, and a redirect is not followed', async () => {
    const made = await receiver()
    const { server, url } = made
    const moved = server.url(HOST, '/moved')
    server.put(moved, (_, response) => void response.writeHead(302, { location: url }).end())
    const urls = [url, moved, url.replace('https:', 'http:'), url.replace(`:${server.port}`, '')]
    const others = [
      url.replace(`:${server.port}`, `:${server.port + 1}`),
      url.replace(HOST, 'other.internal'),
    ]
    const listed = [`${HOST}:${server.port}`]
    expect(await send(made, listed, [...urls, ...others])).toEqual([
      204,
      302,
      'forbidden_scheme',
      'forbidden_address',
      'forbidden_address',
      'forbidden_address',
    ])
    expect([server.requests(url), server.requests(moved)]).toEqual([1, 1])
  })

  it('is not reached when nothing, or another receiver, is listed', async () => {
    const { address, server, url } = await receiver()
    for (const private_hosts of [[], [`other.internal:${server.port}`, `${HOST}:443`]]) {
      const fetch = guardedFetch({ private_hosts, resolve: async () => [address] })
      await expect(fetch(url)).rejects.toThrow('forbidden_address')
    }
    expect(server.requests(url)).toBe(0)
  })

  it('needs a certificate that is trusted and names the host', async () => {
    const made = await receiver()
    const { address, server, url } = made
    const private_hosts = [`${HOST}:${server.port}`, `wrong.internal:${server.port}`]
    const fetch = guardedFetch({ private_hosts, resolve: async () => [address] })
    await expect(fetch(url)).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT')
    const wrong = url.replace(HOST, 'wrong.internal')
    expect(await send(made, private_hosts, [wrong])).toEqual(['ERR_TLS_CERT_ALTNAME_INVALID'])
    expect(server.requests(url)).toBe(0)
  })

  it('the list counts for the clients of an operator alone', async () => {
    const { address, server } = await receiver()
    const authority = `${address.includes(':') ? `[${address}]` : address}:${server.port}`
    const { fetch, fetch_of_operator } = logoutFetches({
      issuer: 'https://id.example.com',
      backchannel: { private_hosts: [authority] },
    })
    const url = `https://${authority}/logout`
    // The certificate is not trusted here: the connection was allowed.
    await expect(fetch_of_operator(url)).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT')
    await expect(fetch(url)).rejects.toThrow('forbidden_address')
  })
})

const PRIVATE = ['10.0.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd00::1']

describe('a listed host', () => {
  const REFUSED = [
    ...HOSTILE.filter(([, address]) => !PRIVATE.includes(address)),
    ['metadata of Google Cloud', 'fd20:ce::254'],
    ['metadata of AWS, written out', 'fd00:0ec2:0:0:0:0:0:254'],
    ['metadata of Scaleway', 'fd00:42::42'],
    ['v4-mapped private', '::ffff:10.0.0.1'],
  ] as const

  it.each(REFUSED)('that resolves to %s (%s) is refused', async (_, address) => {
    const options = { private_hosts: ['logout.internal:443'] }
    for (const addresses of [[address], ['10.0.0.1', address]]) {
      const fetch = guardedFetch({ ...options, resolve: async () => addresses })
      await expect(fetch('https://logout.internal/')).rejects.toThrow('forbidden_address')
    }
  })

  it.each([...PRIVATE, '10.255.255.255', '172.16.0.0', '100.127.255.255', 'fc00::1', 'fdff::1'])(
    'may resolve to %s',
    (address) => expect(isPrivateReceiver(address)).toBe(true),
  )

  it.each([
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '100.128.0.0',
    '192.169.0.0',
    'fbff::1',
    'fe00::1',
    '',
  ])('%j is in no private network', (address) => expect(isPrivateReceiver(address)).toBe(false))

  it.each([
    ['logout.internal:443', 'logout.internal:443'],
    ['Logout.Internal:8443', 'logout.internal:8443'],
    ['10.0.0.7:65535', '10.0.0.7:65535'],
    ['[FD00::7]:1', '[fd00::7]:1'],
  ])('is written as host and port: %s', (entry, expected) => {
    expect(privateHost(entry)).toBe(expected)
    expect(backchannelSchema.safeParse({ private_hosts: [entry] }).success).toBe(true)
  })

  it.each([
    '',
    'logout.internal',
    'logout.internal:',
    'logout.internal:0',
    'logout.internal:65536',
    'https://logout.internal:443',
    'logout.internal:443/path',
    '*.internal:443',
    'user@logout.internal:443',
    ':443',
    'fd00::7',
  ])('is not %j', (entry) => {
    const { error } = backchannelSchema.safeParse({ private_hosts: [entry] })
    expect(error?.issues[0]?.message).toContain('give the host and the port')
  })
})

describe('an issuer on this computer', () => {
  it.each(['http', 'https'])('lets %s reach this machine, and without it nothing does', async (scheme) => {
    const closed = await documentServer([HOST])
    await closed.down()
    onTestFinished(() => closed.close())
    const url = `${scheme}://127.0.0.1:${closed.port}/logout`
    const backchannel = { private_hosts: [`127.0.0.1:${closed.port}`] }
    const allowed = logoutFetches({ issuer: 'http://localhost:3000', backchannel })
    const refused = logoutFetches({ issuer: 'https://id.example.com', backchannel })
    for (const fetch of [allowed.fetch, allowed.fetch_of_operator])
      await expect(fetch(url)).rejects.toThrow('ECONNREFUSED')
    for (const fetch of [refused.fetch, refused.fetch_of_operator])
      await expect(fetch(url)).rejects.toThrow(/^forbidden_/)
  })
})
