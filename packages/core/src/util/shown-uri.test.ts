import { expect, it } from 'vitest'
import { shownUri, uriDifference } from './shown-uri.js'

it.each<[string | null, string | null]>([
  [null, null],
  ['https://a.example', 'https://a.example'],
  ['https://A.Example/cb/', 'https://A.Example/cb/'],
  ['https://user:password@a.example:8443/cb?code=secret#secret', 'https://a.example:8443/cb'],
  ['https:/user:password@a.example/cb', 'https:/a.example/cb'],
  ['https://user\n:password@a.example/cb', 'https://a.example/cb'],
  ['com.example.app:/cb?code=secret', 'com.example.app:/cb'],
  ['myapp://user:password@host/cb?secret', 'myapp://host/cb'],
  ['secret', null],
  ['client:secret', null],
  ['javascript:secret', null],
  ['https:user:password@a.example/', null],
  ['/callback', null],
  ['https://[/', null],
  [`https://a.example/${'dGhlIHNlY3JldCBvZiAzMiByYW5kb20gYnl0ZXMuLi4'}`, null],
  ['https://a.example/\u0000\n"', 'https://a.example/??"'],
])('shownUri of %j is %j: as it was sent, up to its query', (uri, expected) => {
  expect(shownUri(uri)).toBe(expected)
})

const REGISTERED = 'https://app.example.com:8443/callback'

it.each<[string, string]>([
  ['https://app.example.com:8443/callback/', 'the last slash'],
  ['https://app.example.com:8443/Callback', 'the case of the path'],
  ['https://app.example.com:8443/other', 'the path'],
  ['https://App.example.com:8443/callback', 'the case of the host'],
  ['https://other.example.com:8443/callback', 'the host'],
  ['https://app.example.com/callback', 'the port'],
  ['http://app.example.com:8443/callback', 'the scheme'],
  ['HTTPS://app.example.com:8443/callback', 'the case of the scheme'],
  ['https://app.example.com:8443/callback?next=1', 'the query'],
  ['https://app.example.com:8443/callback#x', 'the fragment'],
  ['http://app.example.com/callback', 'the scheme and the port'],
])('%s differs in %s', (sent, parts) => {
  expect(uriDifference(sent, ['https://far.example.net/x', REGISTERED])).toBe(
    `It differs from the registered ${REGISTERED} in ${parts}.`,
  )
})

it('an address without a path differs from the one with a slash in that slash', () => {
  expect(uriDifference('https://a.example', ['https://a.example/'])).toBe(
    'It differs from the registered https://a.example/ in the last slash.',
  )
})

it('where the port of http on the loopback is free, it is no difference', () => {
  const registered = ['http://127.0.0.1:8080/cb']
  expect(uriDifference('http://127.0.0.1:5000/cb/', registered, true)).toContain('in the last slash.')
  expect(uriDifference('http://127.0.0.1:5000/cb', registered)).toContain('in the port.')
})

it('without a registered address there is no difference; without a sent one, the registered one is named', () => {
  expect(uriDifference('https://a.example/', [])).toBeNull()
  expect(uriDifference(REGISTERED, [REGISTERED])).toBeNull()
  expect(uriDifference(null, [REGISTERED])).toBe(`Registered or sent before: ${REGISTERED}.`)
})
