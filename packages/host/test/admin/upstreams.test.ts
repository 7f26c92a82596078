/** The other providers of a realm, as administrators see them: real providers on this machine, which break the rules. */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished, vi } from 'vitest'
import { upstreamReader } from '../../src/server/admin/upstreams.ts'
import { configure, FILE } from '../support.ts'
import { ON, started } from './_server.ts'

const CORP_SECRET = 'a client secret of this test'
const DOCUMENT = '/.well-known/openid-configuration'

const upstream = (issuer: string, more: object = {}) => ({
  type: 'oidc',
  issuer,
  client_id: 'ostiary',
  client_secret_env: 'CORP_SECRET',
  name: 'Corp',
  ...more,
})

/** A provider on this machine, and the paths that it was asked for. */
async function listening(answer: (address: string) => RequestListener) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    answer(address())(request, response)
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: address(), paths }
}

const documentOf = (address: string, more: object = {}) =>
  JSON.stringify({
    issuer: address,
    authorization_endpoint: `${address}/authorize`,
    token_endpoint: `${address}/token`,
    jwks_uri: `${address}/keys`,
    ...more,
  })

const provider = (keys: string, more: object = {}) =>
  listening((address) => (request, response) => {
    response.end(request.url === DOCUMENT ? documentOf(address, more) : keys)
  })

const readerOf = async (upstreams: object) =>
  upstreamReader(await configure({ ...FILE, identity: { upstreams } }, { CORP_SECRET }), 'default')

const checked = async (issuer: string) => (await readerOf({ corp: upstream(issuer) })).check('corp')

it('one that answers is ready', async () => {
  const { address, paths } = await provider('{"keys":[{"kty":"RSA"}]}')
  expect(await checked(address)).toEqual({ id: 'corp', asked: true, ready: true, reason: null, hint: null })
  expect(paths).toEqual([DOCUMENT, '/keys'])
})

it('one without keys is not', async () => {
  const { address } = await provider('{"keys":[]}')
  expect(await checked(address)).toMatchObject({ ready: false, reason: 'no_keys' })
})

it('one that is down is not', async () => {
  const address = `http://127.0.0.1:${await freePort()}`
  expect(await checked(address)).toMatchObject({ asked: true, ready: false, reason: 'unreachable' })
})

it('a redirect is not followed', async () => {
  const other = await provider('{"keys":[{}]}')
  for (const status of [301, 302, 307, 308]) {
    const { address } = await listening(() => (_, response) => {
      response.writeHead(status, { location: other.address + DOCUMENT }).end()
    })
    expect(await checked(address)).toMatchObject({ ready: false, reason: 'bad_response' })
  }
  expect(other.paths).toEqual([])
})

it('an answer without an end is not read to it', async () => {
  const { address } = await listening(() => (_, response) => {
    const chunk = Buffer.alloc(65_536, ' ')
    const send = () => {
      if (!response.destroyed && response.write(chunk)) setImmediate(send)
      else response.once('drain', send)
    }
    send()
  })
  expect(await checked(address)).toMatchObject({ ready: false, reason: 'unreachable' })
})

it('one that does not answer ends the check in time', async () => {
  const timeout = new AbortController()
  const { address, paths } = await listening(() => () => timeout.abort())
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  onTestFinished(() => limits.mockRestore())
  expect(await checked(address)).toMatchObject({ ready: false, reason: 'unreachable' })
  expect(paths).toEqual([DOCUMENT])
  // The admin API gives up after five seconds.
  expect(limits).toHaveBeenCalledWith(4000)
})

it('keys in the network of the cloud are not asked for', async () => {
  const { address } = await provider('', { jwks_uri: 'https://169.254.169.254/latest/meta-data' })
  expect(await checked(address)).toMatchObject({ ready: false, reason: 'unreachable' })
})

it('only what the configuration names is asked', async () => {
  const reader = await readerOf({ corp: upstream('https://login.example.com') })
  for (const id of ['', 'none', 'constructor', '__proto__', 'https://login.example.com'])
    expect(await reader.check(id)).toBeNull()
})

it('GitHub needs no document', async () => {
  const github = { type: 'github', client_id: 'x', client_secret_env: 'CORP_SECRET', name: 'GitHub' }
  const reader = await readerOf({ github })
  expect(await reader.check('github')).toMatchObject({ asked: false, ready: true })
})

it('everything is shown but the secret', async () => {
  const more = {
    scopes: ['email'],
    signup: true,
    domains: ['example.com'],
    authoritative_domains: ['example.com'],
    link: 'verified_email',
    only: true,
    require_second_factor: true,
    groups: { claim: 'roles', map: { admins: 'staff' } },
  }
  const reader = await readerOf({ corp: upstream('https://login.example.com', more) })
  expect(reader.list).toEqual([
    {
      id: 'corp',
      name: 'Corp',
      type: 'oidc',
      issuer: 'https://login.example.com',
      client_id: 'ostiary',
      authentication: 'client_secret',
      redirect_uri: 'http://localhost:4000/login/callback/corp',
      backchannel_logout_uri: 'http://localhost:4000/login/upstream/corp/logout',
      tenants: [],
      key: 'identity.upstreams.corp',
      ...more,
    },
  ])
  expect(JSON.stringify(reader)).not.toContain(CORP_SECRET)
})

it('a realm without providers has none', async () => {
  const reader = upstreamReader(await configure(FILE), 'default')
  expect([reader.list, await reader.check('corp')]).toEqual([[], null])
})

it('the API asks a provider for a check, and not for a dry run of one', async () => {
  const { address, paths } = await provider('{"keys":[{"kty":"RSA"}]}')
  const upstreams = { corp: upstream(address, { client_secret_env: 'DEPLOY_SECRET' }) }
  const { call } = await started({ ...ON, identity: { upstreams } })
  const line = 'POST /realms/default/upstreams/corp/check'
  expect((await call(`${line}?dry_run=true`)).body).toMatchObject({ changes: [] })
  expect(paths).toEqual([])
  expect((await call(line)).body).toMatchObject({ asked: true, ready: true })
  expect(paths).toEqual([DOCUMENT, '/keys'])
})
