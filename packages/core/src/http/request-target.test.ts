import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestTarget } from './request-target.js'

const parsed = (url: string) => {
  const { pathname, search } = new URL(url)
  return { pathname, search }
}
const cut = (url: string) => {
  const { pathname, search } = requestTarget(url)
  return { pathname, search }
}

describe('requestTarget', () => {
  it.each([
    'https://id.example.com/',
    'https://id.example.com/oauth/authorize?client_id=a&state=%2F%3F',
    'http://127.0.0.1:3000/oauth/token',
    'http://[::1]:3000/a/b?c=/d?e=//f',
    'https://id.example.com/?',
    'https://id.example.com/a?#',
    'https://id.example.com/a#b?c',
    'https://id.example.com/a?b#c/d?e',
    'https://id.example.com/oauth/..%2Ftoken',
    'https://id.example.com?a=/b',
    'https://id.example.com#/b',
    'file:///etc/passwd?x',
    'ostiary:/a?b',
  ])('%s', (url) => {
    expect(cut(new Request(url).url)).toEqual(parsed(url))
    expect(cut(url)).toEqual(parsed(url))
  })

  it('is the same as URL gives for any Request', () => {
    const rest = fc.string({ unit: 'binary', maxLength: 50 })
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), rest, (url, more) => {
        for (const given of [url, `https://id.example.com/${more}`]) {
          const { url: asked } = new Request(given)
          expect(cut(asked)).toEqual(parsed(asked))
        }
      }),
    )
  })

  it.each(['', '/oauth/token', 'id.example.com/a', 'http://', 'https:///'])('%j is not a URL', (url) => {
    expect(() => requestTarget(url)).toThrow(TypeError)
  })
})
