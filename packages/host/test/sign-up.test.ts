/** The keys `identity.signup` and `identity.signup_domains`, and what they need. */

import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/index.ts'
import { configure, FILE, faults, startApp } from './support.ts'

const ENV = { SMTP_URL: 'smtp://localhost:2525' }
const MAIL = { from: 'id@example.com' }
const withKeys = (identity: object) => ({ ...FILE, identity })

describe('identity.signup', () => {
  it('is off without the key, and nothing is loaded', async () => {
    for (const identity of [{}, { signup: 'off' }, { signup: 'off', mail: MAIL }])
      expect(await configure(withKeys(identity), ENV)).not.toHaveProperty('sign_up')
  })

  it('of the first realm and of another one', async () => {
    const file = {
      ...withKeys({ signup: 'domains', signup_domains: ['corp.example'], mail: MAIL }),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {}, other: {} } },
      realms: { acme: { identity: { signup: 'open', mail: MAIL } } },
    }
    expect((await configure(file, ENV)).sign_up).toEqual({
      default: { signup: 'domains', signup_domains: ['corp.example'] },
      acme: { signup: 'open' },
    })
  })

  it('a command that needs no secrets reads it without the URL of the mail server', async () => {
    const { file } = await configure(withKeys({ signup: 'open', mail: MAIL }), ENV)
    const config = await readConfig(
      { OIDC_SECRET: 'the-secret-of-the-tests-is-long-enough', OSTIARY_CONFIG: file ?? '' },
      '/',
      { entry_secrets: false },
    )
    expect(config.sign_up).toEqual({ default: { signup: 'open' } })
  })

  it.each<[string, object, string]>([
    ['without mail', { signup: 'open' }, 'identity.signup: "open" needs identity.mail'],
    [
      'domains without a list',
      { signup: 'domains', mail: MAIL },
      'identity.signup: "domains" needs identity.signup_domains',
    ],
    [
      'domains with an empty list',
      { signup: 'domains', signup_domains: [], mail: MAIL },
      'identity.signup: "domains" needs identity.signup_domains',
    ],
    [
      'a list with open',
      { signup: 'open', signup_domains: ['corp.example'], mail: MAIL },
      'identity.signup_domains: they have no effect with identity.signup "open"',
    ],
    [
      'a list with off',
      { signup_domains: ['corp.example'] },
      'identity.signup_domains: they have no effect with identity.signup "off"',
    ],
    [
      'a domain that is none',
      { signup: 'domains', signup_domains: ['@corp.example'], mail: MAIL },
      'identity.signup_domains: "@corp.example" is no domain',
    ],
    ['another value', { signup: 'on', mail: MAIL }, 'identity.signup: give off, domains or open'],
    [
      'neither passwords nor passkeys',
      { signup: 'open', mail: MAIL, passkeys: { enabled: false }, password: { enabled: false } },
      'identity.password.enabled: without passwords users need passkeys, and passkeys.enabled is false',
    ],
  ])('%s is a fault that names both keys', async (...[, identity, expected]) => {
    const found = (await faults(withKeys(identity), ENV)).filter((line) => line.startsWith('identity.'))
    expect(found).toEqual([expect.stringContaining(expected)])
  })

  it('of another realm has the path of its keys', async () => {
    const file = {
      ...FILE,
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: { acme: { identity: { signup: 'open' } } },
    }
    expect(await faults(file)).toEqual([
      expect.stringContaining('realms.acme.identity.signup: "open" needs realms.acme.identity.mail'),
    ])
  })

  it('a server has the page, and names prompt=create, where it is on alone', async () => {
    const answers = []
    for (const identity of [{ mail: MAIL }, { mail: MAIL, signup: 'open' }]) {
      const { get } = await startApp(withKeys(identity), ENV)
      const { prompt_values_supported } = await (await get('/.well-known/openid-configuration')).json()
      answers.push([(await get('/login/signup')).status, prompt_values_supported.includes('create')])
    }
    expect(answers).toEqual([
      [404, false],
      [200, true],
    ])
  })
})
