/** What doctor says about settings that are valid, and probably not what the operator wants. */

import { expect, it } from 'vitest'
import { checkConfiguration } from '../src/doctor/configuration.ts'
import { configure, FILE } from './support.ts'

const PORT = { port: 4000 }

/** The findings besides the first, which names the file. */
async function findings(file: object): Promise<string[]> {
  const [valid, ...others] = checkConfiguration(await configure({ ...FILE, ...PORT, ...file }))
  expect(valid).toMatchObject({ status: 'ok' })
  return others.map(({ status, message, advice }) => `${status}: ${message}. ${advice}`)
}
const client = (fields: object) => ({ clients: [{ client_id: 'app', ...fields }] })

it('nothing about a configuration as it should be', async () => {
  expect(await findings({})).toEqual([])
  const https = { app: { url: 'https://id.example.com' }, trusted_proxies: ['10.0.0.0/8', '2001:db8::/32'] }
  expect(await findings({ ...https, ...client({ redirect_uris: ['https://app.example.com/cb'] }) })).toEqual(
    [],
  )
})

it.each(['0.0.0.0/0', '128.0.0.0/1', '::/0', '2000::/3'])('trusted_proxies: %s is a fault', async (range) => {
  expect(await findings({ trusted_proxies: [range] })).toEqual([
    `fault: trusted_proxies: ${range} trusts clients too: each can choose its address in X-Forwarded-For, and avoid the limits per address. Name only the addresses of your proxies.`,
  ])
})

it('https without a trusted proxy is a note', async () => {
  expect(await findings({ app: { url: 'https://id.example.com' } })).toEqual([
    expect.stringMatching(/^note: trusted_proxies is empty/),
  ])
})

it('a redirect URI over plain http to another machine is a note; to this machine it is not', async () => {
  const redirect_uris = ['http://localhost:8080/cb', 'http://127.0.0.1/cb', 'http://app.example.com:8080/cb']
  expect(await findings(client({ redirect_uris }))).toEqual([
    'note: clients.0.redirect_uris.2: codes go to app.example.com:8080 over plain http, where others can read them. Use https, except on this machine.',
  ])
})

it('an http issuer with another port than the server is a note', async () => {
  expect(await findings({ port: 4001 })).toEqual([
    'note: clients and browsers use http://localhost:4000, and the server listens on port 4001. Set PORT or the issuer (app.url), unless another program forwards the port.',
  ])
})

const themed = (light: string, dark: string) => ({
  theme: { variables: { '--ostiary-accent': light }, dark_variables: { '--ostiary-accent': dark } },
})

it('buttons whose text is too faint are a note, by the scheme', async () => {
  // White on #767676 has a contrast of 4.54, and on #777777 of 4.48; #12141c on #7f7f7f has 4.63, and on #7c7c7c 4.44.
  expect(await findings(themed('#767676', '#7f7f7f'))).toEqual([])
  const advice = 'It needs 4.5: set --ostiary-accent in variables and dark_variables.'
  const faint = (contrast: string, scheme: string) =>
    `note: theme: button text has a contrast of ${contrast} to 1 in the ${scheme} scheme. ${advice}`
  expect(await findings(themed('#777', '#7c7c7c'))).toEqual([faint('4.4', 'light'), faint('4.4', 'dark')])
  expect(await findings(themed('#eeeeee', 'var(--ostiary-text)'))).toEqual([faint('1.1', 'light')])
  const one = { theme: { variables: { '--ostiary-accent': '#0a6b4f' } } }
  expect(await findings(one)).toEqual([faint('2.8', 'dark')])
})

it('a short client secret is a note', async () => {
  expect(
    await findings(client({ client_secret: 'x'.repeat(22), redirect_uris: ['https://a.example/cb'] })),
  ).toEqual(['note: clients.0: the client_secret is short. Use 32 random characters or more.'])
})

it('a variable of password_env that is not set is a note', async () => {
  expect(await findings({ users: [{ username: 'ann', password_env: 'NOT_THERE' }] })).toEqual([
    'note: users.0.password_env: the variable NOT_THERE is not set. A server starts without it only if the user has a password already.',
  ])
})

const API = {
  clients: [{ client_id: 'app', client_secret: 'x'.repeat(40), grant_types: ['client_credentials'] }],
}

it('clients of the root resource are a note: they get every token without a resource', async () => {
  const resources = { '': { clients: ['app'] }, notes: { clients: ['app'] } }
  expect(await findings({ oidc: { resources }, ...API })).toEqual([
    'note: oidc.resources: the clients of "" may introspect and exchange every token that names no resource, of every client. Give the API a resource of its own, and name its clients there.',
  ])
})

it('a public client of the configuration is no API', async () => {
  const oidc = { resources: { notes: { clients: ['app'] } } }
  await expect(findings({ oidc })).rejects.toThrow('oidc.resources."notes".clients names it')
})

it('an API that is no client of the configuration is a note', async () => {
  const resources = { notes: { clients: ['app', 'notes-apu'] } }
  const expected = [
    'note: oidc.resources: "notes-apu" in clients of "notes" is not a client of the configuration. Create it with a secret (client create --confidential), or correct the name: until then it has no effect.',
  ]
  expect(await findings({ oidc: { resources }, ...API })).toEqual(expected)
  const { users } = FILE
  const { clients } = API
  const byPath = { oidc: { routes: { realms: 'path' }, resources, realms: { acme: {} } } }
  expect(await findings({ ...byPath, clients: [], users: [], realms: { acme: { clients, users } } })).toEqual(
    expected,
  )
})

it('an issuer with an IP address has no passkeys: a note, unless they are turned off', async () => {
  const there = (identity: object) => findings({ app: { url: 'http://127.0.0.1:4000' }, identity })
  expect(await there({})).toEqual([
    'note: there are no passkeys: browsers have none for an IP address, and the issuer is http://127.0.0.1:4000. Use a host name in app.url, or set identity.passkeys.enabled to false.',
  ])
  expect(await there({ passkeys: { enabled: false } })).toEqual([])
})

it('an app.url without effect, because the issuer is another one, is a note', async () => {
  const app = { url: 'http://localhost:4001' }
  expect(await findings({ app, oidc: { issuer: 'http://localhost:4000' } })).toEqual([
    'note: app.url has no effect: the issuer is http://localhost:4000. Give one of app.url and oidc.issuer.',
  ])
  for (const url of ['http://localhost:4000', 'http://localhost:4000/'])
    expect(await findings({ app: { url }, oidc: { issuer: 'http://localhost:4000' } })).toEqual([])
})
