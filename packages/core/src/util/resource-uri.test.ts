import { describe, expect, it } from 'vitest'
import { isResourceUri, normalizeResource } from './resource-uri.js'

describe('isResourceUri: an absolute URI without fragment', () => {
  it.each<[string, boolean]>([
    ['https://api.example.com', true],
    ['https://api.example.com/v1?x=1', true],
    ['HTTPS://API.example.com/', true],
    ['urn:example:queue', true],
    ['app://host', true],
    ['', false],
    ['mcp', false],
    ['/mcp', false],
    ['//api.example.com', false],
    ['api.example.com:', false],
    ['https:', false],
    ['https://', false],
    ['https://api.example.com#', false],
    ['https://api.example.com/#x', false],
    ['https://api.example.com/a b', false],
    ['https://api.example.com/\n', false],
    ['1https://api.example.com', false],
  ])('%j: %s', (value, expected) => {
    expect(isResourceUri(value)).toBe(expected)
  })
})

describe('normalizeResource', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['HTTPS://API.Example.COM/', 'https://api.example.com'],
    ['HTTPS://API.Example.COM/Path/', 'https://api.example.com/Path/'],
    ['https://api.example.com/?Q=1', 'https://api.example.com?Q=1'],
    ['https://api.example.com//', 'https://api.example.com//'],
    ['https://API.example.com:8443/A', 'https://api.example.com:8443/A'],
    ['https://api.example.com:443', 'https://api.example.com:443'],
    ['https://User@API.example.com/', 'https://User@api.example.com'],
    ['https://[2001:DB8::1]/x', 'https://[2001:db8::1]/x'],
    ['urn:Example:Queue/', 'urn:Example:Queue/'],
  ])('%s is %s', (value, expected) => {
    expect(normalizeResource(value)).toBe(expected)
    expect(normalizeResource(expected)).toBe(expected)
  })
})
