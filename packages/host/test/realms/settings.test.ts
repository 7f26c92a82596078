/** What a realm that is made at run time may set: by the schema of the configuration, without what a server reads at its start. */

import { settingsFaults } from '@ostiary/realms'
import { expect, it } from 'vitest'
import { configuredPlace, readMadeRealm, settingsRules } from '../../src/config/realms/run-time.ts'
import { configure } from '../support.ts'
import { FILE } from './_place.ts'

const faultsOf = async (settings: object, file: object = FILE) =>
  settingsFaults(
    settingsRules(await configure(file, { DATABASE_URL: 'postgres://db.example/x' })),
    'acme',
    settings,
  )

it.each([
  {},
  { oidc: {}, identity: {} },
  { oidc: { tokens: { access_token: 60 }, resources: { api: { scopes: ['read'] } }, profile: 'fapi2' } },
  {
    identity: {
      passkeys: { enabled: true },
      second_factor: 'required',
      password: { rules: true, min_length: 12 },
      enrolment: 'invited',
    },
  },
  { identity: { second_factor: 'optional', remember_device: 30 } },
])('%j', async (settings) => {
  expect(await faultsOf(settings)).toEqual([])
})

const AT_START = 'only a realm of the configuration has it'

it.each<[object, string, string]>([
  [{ oidc: { tokens: { access_token: -1 } } }, 'oidc.tokens.access_token', ''],
  [{ oidc: { issuer: 'https://other.example' } }, 'oidc.issuer', 'a realm cannot override this key'],
  [{ oidc: { routes: { realms: 'single' } } }, 'oidc.routes', 'a realm cannot override this key'],
  [{ oidc: { realms: {} } }, 'oidc.realms', 'a realm cannot override this key'],
  [{ oidc: { clients: { default_scopes: ['none'] } } }, 'oidc.clients.default_scopes', 'there is no scope'],
  [{ oidc: [] }, 'oidc', 'give an object of oidc keys'],
  [{ oidc: null }, 'oidc', 'give an object of oidc keys'],
  [{ identity: 'x' }, 'identity', 'give an object of identity keys'],
  [{ identity: { second_factor: 'always' } }, 'identity.second_factor', ''],
  [{ identity: { passkeys: { rp_id: 'other.example' } } }, 'identity.passkeys.rp_id', 'no parent domain'],
  [{ identity: { password: { min_length: 12 } } }, 'identity.password.min_length', 'no effect without'],
  [
    { identity: { password: { rules: true, blocklist_file: '/etc/passwd' } } },
    'identity.password.blocklist_file',
    'names a file',
  ],
  [{ identity: { mail: { from: 'a@example.com', smtp_url_env: 'OIDC_SECRET' } } }, 'identity.mail', AT_START],
  [{ identity: { email_codes: true } }, 'identity.email_codes', AT_START],
  [{ identity: { email_change: true } }, 'identity.email_change', AT_START],
  [{ identity: { sign_in_with: ['email'] } }, 'identity.sign_in_with', AT_START],
  [{ identity: { recovery: { mail: true } } }, 'identity.recovery', AT_START],
  [{ identity: { signup: {} } }, 'identity.signup', AT_START],
  [{ identity: { terms: {} } }, 'identity.terms', AT_START],
  [{ identity: { access: {} } }, 'identity.access', AT_START],
  [{ identity: { account_deletion: true } }, 'identity.account_deletion', AT_START],
  [{ identity: { upstreams: { google: { client_secret_env: 'HOME' } } } }, 'identity.upstreams', AT_START],
  [{ theme: { name: 'Acme' } }, 'theme', 'no theme of its own'],
  [{ clients: [] }, 'clients', 'have no clients'],
  [{ users: [] }, 'users', 'have no users'],
  [{ other: 1 }, 'other', 'oidc and identity'],
])('not %j', async (settings, path, message) => {
  expect(await faultsOf(settings)).toEqual([{ path, message: expect.stringContaining(message) }])
})

it.each<[object, string, string]>([
  [{ oidc: { tokens: { acces_token: 60 } } }, 'oidc.tokens.acces_token', 'access_token'],
  [{ identity: { second_facto: 'off' } }, 'identity.second_facto', 'second_factor'],
])('an unknown key, and the one that was meant: %j', async (settings, path, meant) => {
  expect(await faultsOf(settings)).toEqual([{ path, message: 'there is no such key', meant }])
})

it('every fault is told at once', async () => {
  const settings = {
    oidc: { tokens: { access_token: -1 } },
    identity: { terms: {}, second_factor: 'always' },
  }
  expect((await faultsOf(settings)).map(({ path }) => path)).toEqual([
    'oidc.tokens.access_token',
    'identity.terms',
    'identity.second_factor',
  ])
})

it.each([
  '{"oidc":{"__proto__":{"profile":"fapi2"}}}',
  '{"__proto__":{"oidc":{}}}',
  '{"identity":{"password":{"__proto__":{"enabled":false}}}}',
])('a key with the name of the prototype is refused: %s', async (text) => {
  const faults = await faultsOf(JSON.parse(text))
  expect(faults.map(({ message }) => message).join()).toMatch(/__proto__|oidc and identity/)
  expect(({} as { profile?: string }).profile).toBeUndefined()
})

it('what is stored is read, and is an error when it fits no more', async () => {
  const config = await configure(FILE)
  const read = (settings: object) => readMadeRealm(config, { id: 'acme', settings })
  expect(
    await read({
      oidc: { claims_supported: ['sub'] },
      identity: { password: { rules: true, min_length: 12 } },
    }),
  ).toEqual({
    oidc: { claims_supported: ['sub'] },
    identity: { passkeys: {}, second_factor: 'off', password: {} },
    password_rules: { min_length: 12, also_refused: [] },
  })
  expect((await read({})).password_rules).toBeNull()
  await expect(read({ identity: { terms: {} } })).rejects.toThrow('realms.acme.identity.terms')
})

it('the configuration has the realms that it names, and default', async () => {
  const config = await configure(FILE)
  // Without its folder, which is no business of administrators elsewhere.
  const file = 'ostiary.config.json'
  expect(configuredPlace(config, 'main')).toEqual({ file, key: 'oidc.realms.main' })
  expect(configuredPlace(config, 'default')).toEqual({ file, key: 'oidc' })
  expect(configuredPlace(config, 'acme')).toBeNull()
})
