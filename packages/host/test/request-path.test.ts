import { expect, it } from 'vitest'
import { isAmbiguousPath } from '../src/index.ts'

it.each([
  '/oauth\\token',
  '/oauth%5Ctoken',
  '/oauth%5ctoken?a=b',
  '/nope/%2e%2e/oauth/token',
  '/nope/%2E./oauth/token',
  '/nope/.%2e/oauth/token',
  '/nope/../oauth/token',
  '/./oauth/token',
  '/%2e/oauth/token',
  '/oauth/token/%2E',
  '/oauth/x/..',
  'http://localhost/x/%2e%2e/oauth/token',
  '/x/..?a=b',
])('%s is ambiguous', (target) => expect(isAmbiguousPath(target)).toBe(true))

it.each([
  '/',
  '/.well-known/openid-configuration',
  '/realms/a..b/oauth/token',
  '/realms/.../oauth/token',
  '/oauth/token?redirect=/../x&b=%2e%2e/%5c\\',
  '/a%2fb',
  'http://localhost/oauth/token',
  '*',
])('%s is not ambiguous', (target) => expect(isAmbiguousPath(target)).toBe(false))

it('takes time in proportion to the length of the path', () => {
  for (const part of ['/', '.', '%2e', '/.', '/%2e', '\\'])
    expect(typeof isAmbiguousPath(part.repeat(8000))).toBe('boolean')
})
