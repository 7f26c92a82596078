/** The key `identity.email_change`, and what it needs. */

import { describe, expect, it } from 'vitest'
import { configure, FILE, faults, startApp } from './support.ts'

const ENV = { SMTP_URL: 'smtp://localhost:2525' }
const MAIL = { from: 'id@example.com' }
const withKeys = (identity: object, more: object = {}) => ({ ...FILE, identity, ...more })

describe('identity.email_change', () => {
  it('is off without the key', async () => {
    for (const identity of [{}, { email_change: false }, { mail: MAIL }])
      expect(await configure(withKeys(identity), ENV)).not.toHaveProperty('addresses')
  })

  it('of the first realm and of another one', async () => {
    const file = {
      ...withKeys({ email_change: true, mail: MAIL }),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {}, other: {} } },
      realms: { acme: { identity: { email_change: true, mail: MAIL } } },
    }
    const on = { email_change: true }
    expect((await configure(file, ENV)).addresses).toEqual({ default: on, acme: on })
  })

  it.each<[string, object, string]>([
    ['without mail', withKeys({ email_change: true }), 'identity.email_change: it needs identity.mail'],
    [
      'without the account page',
      withKeys({ email_change: true, mail: MAIL }, { account: false }),
      'identity.email_change: it needs account true',
    ],
    ['another value', withKeys({ email_change: 'yes', mail: MAIL }), 'identity.email_change'],
  ])('%s is a fault', async (_, file, message) => {
    expect((await faults(file, ENV)).join('\n')).toContain(message)
  })

  it('makes the page, which is not there without the key', async () => {
    for (const email_change of [true, false]) {
      const { get } = await startApp(withKeys({ email_change, mail: MAIL }), ENV)
      expect((await get('/login/address?sent')).status).toBe(email_change ? 200 : 404)
    }
  })
})
