/** What doctor says about the other providers at which users sign in. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished } from 'vitest'
import { checkUpstreams } from '../src/doctor/upstreams.ts'
import { configure, FILE } from './support.ts'

const upstream = (issuer: string) => ({
  type: 'oidc',
  issuer,
  client_id: 'ostiary',
  client_secret_env: 'CORP_SECRET',
  name: 'Corp',
})
const github = { type: 'github', client_id: 'x', client_secret_env: 'CORP_SECRET', name: 'GitHub' }

/** A provider on this machine, whose document has this issuer when it is given. */
async function provider(issuer?: string): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/keys') return void response.end('{"keys":[{}]}')
    const document = {
      issuer: issuer ?? address(),
      authorization_endpoint: `${address()}/authorize`,
      token_endpoint: `${address()}/token`,
      jwks_uri: `${address()}/keys`,
    }
    response.end(JSON.stringify(document))
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return address()
}

const findings = async (upstreams: object) =>
  checkUpstreams(await configure({ ...FILE, identity: { upstreams } }, { CORP_SECRET: 'a client secret' }))

it('nothing where there are none', async () => {
  expect(await checkUpstreams(await configure(FILE))).toEqual([])
})

it('that a sign-in can begin: with a discovery document, and at GitHub, which has none', async () => {
  expect(await findings({ corp: upstream(await provider()), github })).toEqual([
    {
      check: 'upstreams',
      status: 'ok',
      message: 'corp answers; whether it accepts client id and secret, only a sign-in shows',
    },
    {
      check: 'upstreams',
      status: 'ok',
      message: 'github needs no document; whether it accepts client id and secret, only a sign-in shows',
    },
  ])
})

it('that one does not answer, or has another issuer, and what to do', async () => {
  const silent = upstream(`http://127.0.0.1:${await freePort()}`)
  const address = await provider('https://other.example')
  const other = upstream(address)
  expect(await findings({ silent, other })).toEqual([
    {
      check: 'upstreams',
      status: 'fault',
      message: 'a sign-in at silent cannot begin (unreachable)',
      advice: expect.stringContaining('does not answer'),
    },
    {
      check: 'upstreams',
      status: 'fault',
      message: 'a sign-in at other cannot begin (issuer_differs)',
      advice: `Copy the issuer exactly from the discovery document. It is "https://other.example", and not "${address}".`,
    },
  ])
})

it('of a long issuer, 200 characters are shown', async () => {
  const other = upstream(await provider(`https://${'x'.repeat(300)}`))
  const [found] = await findings({ other })
  expect(found?.advice).toMatch(/It is "https:\/\/x{192}", and not "/)
})
