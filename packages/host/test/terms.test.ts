/** The keys `identity.terms.*`. */

import { describe, expect, it } from 'vitest'
import { configure, FILE, faults, startApp } from './support.ts'

const TERMS = { version: '2026-11-01', url: 'https://corp.example/terms' }
const withTerms = (terms: object) => ({ ...FILE, identity: { terms } })

describe('identity.terms', () => {
  it('is absent without the key', async () => {
    expect(await configure(FILE)).not.toHaveProperty('terms')
  })

  it('of the first realm and of another one', async () => {
    const newer = { version: '2', url: '/terms', privacy_url: '/privacy' }
    const file = {
      ...withTerms(TERMS),
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {}, other: {} } },
      realms: { acme: { identity: { terms: newer } } },
    }
    expect((await configure(file)).terms).toEqual({ default: TERMS, acme: newer })
  })

  it.each<[string, object, string]>([
    ['no version', { url: '/terms' }, 'identity.terms.version: '],
    ['no address', { version: '1' }, 'identity.terms.url: '],
    ['an empty version', { ...TERMS, version: '' }, 'identity.terms.version: give 1 to 64 characters'],
    [
      'an address with http',
      { ...TERMS, url: 'http://corp.example' },
      'identity.terms.url: give an https URL',
    ],
    ['a bad privacy notice', { ...TERMS, privacy_url: 'x' }, 'identity.terms.privacy_url: give an https URL'],
    ['an unknown key', { ...TERMS, link: 'x' }, 'identity.terms.link: '],
  ])('%s is a fault with its path', async (...[, terms, expected]) => {
    expect(await faults(withTerms(terms))).toEqual([expect.stringContaining(expected)])
  })

  it('of another realm has the path of its keys', async () => {
    const file = {
      ...FILE,
      oidc: { routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: { acme: { identity: { terms: { ...TERMS, version: ' ' } } } },
    }
    expect(await faults(file)).toEqual([
      expect.stringContaining('realms.acme.identity.terms.version: give 1'),
    ])
  })

  it('a server has the page where there are terms alone', async () => {
    const statuses = []
    for (const file of [FILE, withTerms(TERMS)]) {
      const { get } = await startApp(file)
      statuses.push((await get('/login/terms')).status)
    }
    expect(statuses).toEqual([404, 400])
  })
})
