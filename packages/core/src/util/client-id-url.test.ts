import { describe, expect, it } from 'vitest'
import { clientIdUrlFault, isAllowedHost, isClientIdUrl } from './client-id-url.js'

const THIS_COMPUTER =
  'names this computer, and documents are fetched from public addresses only: for development, with an issuer on this computer, use a name below localhost, such as https://app.localhost/client'
const LONG = `https://client.example.com/${'a'.repeat(2048 - 'https://client.example.com/'.length)}`

describe('a client_id that is a URL', () => {
  it.each([
    'https://client.example.com/metadata.json',
    'https://client.example.com/a/b/',
    'https://client.example.com//a',
    'https://client.example.com/a%20b',
    'https://client.example.com/...',
    'https://client.example.com/.well-known/client',
    'https://client.example.com/@user',
    'https://client.example.com:8443/metadata.json',
    'https://xn--bcher-kva.example/metadata.json',
    'https://1.example.com/metadata.json',
    'https://client.localhost/metadata.json',
    LONG,
  ])('%s is read', (client_id) => {
    expect([isClientIdUrl(client_id), clientIdUrlFault(client_id)]).toEqual([true, null])
  })

  it.each([
    ['app'],
    ['http://client.example.com/metadata.json'],
    ['HTTPS://client.example.com/metadata.json'],
    [' https://client.example.com/metadata.json'],
    ['https:/client.example.com/metadata.json'],
    ['https:client.example.com'],
    ['urn:https://client.example.com/metadata.json'],
  ])('%j is an ordinary client_id', (client_id) => {
    expect(isClientIdUrl(client_id)).toBe(false)
  })

  it.each([
    [`${LONG}a`, 'is longer than 2048 characters'],
    ['https://client.example.com/a b', 'holds a character that a URI may not hold'],
    ['https://client.example.com/a\tb', 'holds a character that a URI may not hold'],
    ['https://client.example.com/a\0', 'holds a character that a URI may not hold'],
    ['https://client.example.com/ä', 'holds a character that a URI may not hold'],
    ['https://bücher.example/a', 'holds a character that a URI may not hold'],
    ['https://client.example.com\\a', 'holds a character that a URI may not hold'],
    ['https://client.example.com/a\\b', 'holds a character that a URI may not hold'],
    ['https://client.example.com/a#', 'has a fragment'],
    ['https://client.example.com/a#b', 'has a fragment'],
    ['https://client.example.com/a?', 'has a query'],
    ['https://client.example.com/a?b=c', 'has a query'],
    ['https://client.example.com?b', 'has a query'],
    ['https://user@client.example.com/a', 'has user-info'],
    ['https://user:password@client.example.com/a', 'has user-info'],
    ['https://@client.example.com/a', 'has user-info'],
    ['https://claude.ai%40client.example.com/a', 'is not in its normal form'],
    ['https://client.example.com', 'has no path'],
    ['https://client.example.com/', 'has no path'],
    ['https://client.example.com:8443', 'has no path'],
    ['https:///a', 'is not in its normal form'],
    ['https://', 'has no path'],
    ['https://client.example.com/.', 'has a dot segment in its path'],
    ['https://client.example.com/..', 'has a dot segment in its path'],
    ['https://client.example.com/a/../b', 'has a dot segment in its path'],
    ['https://client.example.com/a/./b', 'has a dot segment in its path'],
    ['https://client.example.com/a/%2e%2E/b', 'has a dot segment in its path'],
    ['https://client.example.com/a/.%2e/b', 'has a dot segment in its path'],
    ['https://client.example.com/%2e', 'has a dot segment in its path'],
    ['https://Client.example.com/a', 'is not in its normal form'],
    ['https://client.example.com:443/a', 'is not in its normal form'],
    ['https://client.example.com:08443/a', 'is not in its normal form'],
    ['https://client.example.com:/a', 'is not in its normal form'],
    ['https://client.example.com:99999/a', 'is not in its normal form'],
    ['https://client.example.com/a"b', 'is not in its normal form'],
    ['https://client%2eexample.com/a', 'is not in its normal form'],
    ['https://cli^ent.example.com/a', 'is not in its normal form'],
    ['https://127.0.0.1/a', THIS_COMPUTER],
    ['https://127.0.0.2/a', 'names an IP address instead of a host'],
    ['https://8.8.8.8/a', 'names an IP address instead of a host'],
    ['https://127.1/a', 'is not in its normal form'],
    ['https://2130706433/a', 'is not in its normal form'],
    ['https://0x7f000001/a', 'is not in its normal form'],
    ['https://[::1]/a', THIS_COMPUTER],
    ['https://[2001:db8::1]:8443/a', 'names an IP address instead of a host'],
    ['https://localhost/a', THIS_COMPUTER],
    ['https://localhost:8443/a', THIS_COMPUTER],
    ['https://intranet/a', 'has a host without a domain'],
    ['https://client.example.com./a', 'has a host without a domain'],
    ['https://client..example.com/a', 'has a host without a domain'],
    ['https://.example.com/a', 'has a host without a domain'],
  ])('%j %s', (client_id, fault) => {
    expect(clientIdUrlFault(client_id)).toBe(fault)
  })
})

describe('the allowed hosts', () => {
  it.each<[string, string[], boolean]>([
    ['client.example.com', ['*'], true],
    ['client.example.com', [], false],
    ['client.example.com', ['client.example.com'], true],
    ['client.example.com', ['other.example.com', 'client.example.com'], true],
    ['client.example.com', ['example.com'], false],
    ['client.example.com', ['*.example.com'], true],
    ['a.client.example.com', ['*.example.com'], true],
    ['example.com', ['*.example.com'], false],
    ['badexample.com', ['*.example.com'], false],
    ['example.com.attacker.example', ['*.example.com', 'example.com'], false],
  ])('%s in %j: %s', (host, patterns, expected) => {
    expect(isAllowedHost(host, patterns)).toBe(expected)
  })
})
