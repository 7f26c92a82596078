/** The keys `identity.recovery.*`, and what they need. */

import { describe, expect, it } from 'vitest'
import { configure, FILE, faults, startApp } from './support.ts'

const ENV = { SMTP_URL: 'smtp://localhost:2525' }
const MAIL = { from: 'id@example.com' }
const withKeys = (identity: object, more: object = {}) => ({ ...FILE, identity, ...more })

describe('identity.recovery', () => {
  it('is off without the key, and nothing is loaded', async () => {
    for (const identity of [{}, { recovery: {} }, { recovery: { mail: false }, mail: MAIL }])
      expect(await configure(withKeys(identity), ENV)).not.toHaveProperty('recovery')
  })

  it('of the first realm and of another one', async () => {
    const file = {
      ...withKeys({ recovery: { mail: true }, mail: MAIL }),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {}, other: {} } },
      realms: { acme: { identity: { recovery: { mail: true, delay: 7200 }, mail: MAIL } } },
    }
    expect((await configure(file, ENV)).recovery).toEqual({
      default: { mail: true },
      acme: { mail: true, delay: 7200 },
    })
  })

  it.each<[string, object, string]>([
    ['without mail', { recovery: { mail: true } }, 'identity.recovery.mail: it needs identity.mail, which'],
    [
      'without anything to lose',
      { recovery: { mail: true }, mail: MAIL, passkeys: { enabled: false } },
      'identity.recovery.mail: it needs identity.passkeys.enabled or identity.second_factor',
    ],
    [
      'a delay without the mail',
      { recovery: { delay: 7200 } },
      'identity.recovery.delay: it has no effect while identity.recovery.mail is false',
    ],
    [
      'a short delay',
      { recovery: { mail: true, delay: 3599 }, mail: MAIL },
      'identity.recovery.delay: give a whole number of seconds from 3600 to 2592000',
    ],
    [
      'a long delay',
      { recovery: { mail: true, delay: 2_592_001 }, mail: MAIL },
      'identity.recovery.delay: give a whole number of seconds from 3600 to 2592000',
    ],
  ])('%s is a fault that names both keys', async (...[, identity, expected]) => {
    const found = (await faults(withKeys(identity), ENV)).filter((line) => line.startsWith('identity.'))
    expect(found).toEqual([expect.stringContaining(expected)])
  })

  it('without the account page, no session could cancel', async () => {
    const identity = { recovery: { mail: true }, mail: MAIL }
    expect(await faults(withKeys(identity, { account: false }), ENV)).toEqual([
      expect.stringContaining('identity.recovery.mail: it needs account true'),
    ])
  })

  it('of another realm has the path of its keys', async () => {
    const file = {
      ...FILE,
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: { acme: { identity: { recovery: { mail: true } } } },
    }
    expect(await faults(file)).toEqual([
      expect.stringContaining('realms.acme.identity.recovery.mail: it needs realms.acme.identity.mail'),
    ])
  })

  it('a server has the page where it is on alone', async () => {
    const statuses = []
    for (const identity of [{ mail: MAIL }, { mail: MAIL, recovery: { mail: true } }]) {
      const { get } = await startApp(withKeys(identity), ENV)
      statuses.push((await get('/login/regain')).status)
    }
    expect(statuses).toEqual([404, 400])
  })
})
