/** Headers that every answer of a kind has. */

import { describe, expect, it } from 'vitest'
import { authorizeUrl, world } from './support.js'

const start = () => world({ oidc: { clients: { registration: { enabled: true } } } })

describe('every JSON answer', () => {
  it.each<[string, string]>([
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/.well-known/jwks.json'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/introspect'],
    ['GET', '/oauth/authorize'],
    ['GET', '/nothing'],
    ['PUT', '/oauth/token'],
  ])('%s %s: its type is not guessed', async (method, path) => {
    const w = await start()
    const { headers } = await w.provider.fetch(new Request(w.issuer + path, { method }))
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('every redirect', () => {
  it('sends no referrer and is not cached', async () => {
    const w = await start()
    const browser = w.browser()
    const resume = new Request(`${w.issuer}/oauth/authorize`, {
      method: 'POST',
      body: authorizeUrl(w.issuer).split('?')[1] ?? '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await browser.authorize()
    const redirects = [
      await w.provider.fetch(resume),
      await browser.authorize({ scope: 'nonsense' }),
      await browser.signIn().then(() => browser.approve()),
    ]
    for (const { status, headers } of redirects) {
      expect([302, 303]).toContain(status)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})
