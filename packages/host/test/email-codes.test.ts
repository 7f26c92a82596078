/** The key `identity.email_codes`, and what it needs. */

import { describe, expect, it } from 'vitest'
import { configure, FILE, faults, startApp } from './support.ts'

const ENV = { SMTP_URL: 'smtp://localhost:2525' }
const MAIL = { from: 'id@example.com' }
const withKeys = (identity: object) => ({ ...FILE, identity })

describe('identity.email_codes', () => {
  it('is off without the key, and nothing is loaded', async () => {
    for (const identity of [{}, { email_codes: false }, { email_codes: false, mail: MAIL }])
      expect(await configure(withKeys(identity), ENV)).not.toHaveProperty('email_codes')
  })

  it('of the first realm and of another one', async () => {
    const file = {
      ...withKeys({ email_codes: true, mail: MAIL }),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {}, other: {} } },
      realms: { acme: { identity: { email_codes: true, mail: MAIL } }, other: { identity: { mail: MAIL } } },
    }
    expect((await configure(file, ENV)).email_codes).toEqual(['default', 'acme'])
  })

  it('needs the mail of its realm', async () => {
    expect(await faults(withKeys({ email_codes: true }), ENV)).toEqual([
      expect.stringContaining('identity.email_codes: it needs identity.mail: set that, or remove this key'),
    ])
    const file = {
      ...withKeys({ mail: MAIL }),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: { acme: { identity: { email_codes: true } } },
    }
    expect(await faults(file, ENV)).toEqual([
      expect.stringContaining('realms.acme.identity.email_codes: it needs realms.acme.identity.mail'),
    ])
  })

  it('another value is a fault', async () => {
    expect(await faults(withKeys({ email_codes: 'yes', mail: MAIL }), ENV)).toEqual([
      expect.stringContaining('identity.email_codes: give true or false'),
    ])
  })

  it('the page has the button of the realm that has them', async () => {
    for (const [identity, is_there] of [
      [{ email_codes: true, mail: MAIL }, true],
      [{ mail: MAIL }, false],
    ] as const) {
      const { get } = await startApp(withKeys(identity), ENV)
      const page = await (await get('/login?return_to=%2Faccount')).text()
      expect(page.includes('formaction="/login/code"')).toBe(is_there)
    }
  })
})
