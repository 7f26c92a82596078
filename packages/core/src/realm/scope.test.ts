import { describe, expect, it } from 'vitest'
import { includesAll, parseAssignment, parseScope, scopesInPlay } from './scope.js'

describe('parseScope: runs of spaces, each value once, in order', () => {
  it.each<[string | null, string[]]>([
    [null, []],
    ['', []],
    ['  ', []],
    ['a', ['a']],
    [' b   a ', ['b', 'a']],
    ['a b a', ['a', 'b']],
    ['a\tb', ['a\tb']],
  ])('%j', (value, expected) => {
    expect(parseScope(value)).toEqual(expected)
  })
})

it.each<[string, string | null, string]>([
  ['read', null, 'read'],
  ['mcp read', 'mcp', 'read'],
  ['https://api.example.com read', 'https://api.example.com', 'read'],
  [' read', '', 'read'],
])('parseAssignment %j: the resource %j, the scope %s', (entry, resource, scope) => {
  expect(parseAssignment(entry)).toEqual({ resource, scope })
})

describe('scopesInPlay', () => {
  const catalog = {
    realm: new Set(['openid', 'email']),
    hidden: new Set<string>(),
    descriptions: new Map(),
    high: new Set<string>(),
  }
  const mcp = { key: 'mcp', uri: 'https://id.example.com/mcp', scopes: ['read', 'write'] }
  const files = { key: 'files', uri: 'https://id.example.com/files', scopes: ['read'] }
  const root = { key: '', uri: 'https://id.example.com', scopes: ['admin'] }

  interface Row {
    requested: string
    default_scopes?: string[]
    optional_scopes?: string[]
    resource?: typeof mcp
    /** The scopes in play, or the reason of the refusal. */
    gives: string[] | 'unknown_scope' | 'unassigned_scope'
  }

  it.each<Row>([
    { requested: '', gives: [] },
    { requested: 'email openid', optional_scopes: ['*'], gives: ['email', 'openid'] },
    { requested: 'unheard', optional_scopes: ['*'], gives: 'unknown_scope' },
    { requested: 'openid', gives: 'unassigned_scope' },
    { requested: 'openid email', optional_scopes: ['openid'], gives: 'unassigned_scope' },
    { requested: 'openid', optional_scopes: ['unheard'], gives: 'unassigned_scope' },
    { requested: 'openid', default_scopes: ['openid'], gives: ['openid'] },
    { requested: '', default_scopes: ['email'], gives: ['email'] },
    {
      requested: 'openid',
      default_scopes: ['email', 'openid'],
      optional_scopes: [],
      gives: ['openid', 'email'],
    },
    { requested: '', default_scopes: ['unheard'], gives: [] },
    { requested: 'read', optional_scopes: ['*'], gives: 'unknown_scope' },
    { requested: 'read openid', optional_scopes: ['*'], resource: mcp, gives: ['read', 'openid'] },
    { requested: 'write', optional_scopes: ['*'], resource: files, gives: 'unknown_scope' },
    { requested: 'admin', optional_scopes: ['*'], gives: 'unknown_scope' },
    { requested: 'admin', optional_scopes: ['*'], resource: root, gives: ['admin'] },
    {
      requested: 'admin',
      optional_scopes: ['https://id.example.com admin'],
      resource: root,
      gives: ['admin'],
    },
    { requested: 'read', optional_scopes: ['read'], resource: mcp, gives: 'unassigned_scope' },
    { requested: 'read', optional_scopes: ['mcp read'], resource: mcp, gives: ['read'] },
    { requested: 'read', optional_scopes: [`${mcp.uri} read`], resource: mcp, gives: ['read'] },
    { requested: 'read', optional_scopes: ['mcp read'], resource: files, gives: 'unassigned_scope' },
    { requested: 'write', optional_scopes: ['mcp read'], resource: mcp, gives: 'unassigned_scope' },
    { requested: 'openid', optional_scopes: ['mcp openid'], resource: mcp, gives: 'unassigned_scope' },
    { requested: '', default_scopes: ['mcp read'], resource: mcp, gives: ['read'] },
    { requested: '', default_scopes: ['mcp read'], resource: files, gives: [] },
    { requested: '', default_scopes: ['mcp read', 'email'], gives: ['email'] },
    { requested: '', default_scopes: ['*'], resource: mcp, gives: [] },
  ])('%j', ({ requested, default_scopes = [], optional_scopes = [], resource = null, gives }) => {
    const play = () =>
      scopesInPlay(parseScope(requested), {
        assignment: { default_scopes, optional_scopes },
        catalog,
        resource,
      })
    if (typeof gives !== 'string') expect(play()).toEqual(gives)
    else expect(play).toThrow(expect.objectContaining({ code: 'invalid_scope', reason: gives }))
  })
})

it.each<[string[], string[], boolean]>([
  [[], [], true],
  [['a'], [], true],
  [['a', 'b'], ['b', 'a'], true],
  [['a'], ['a', 'b'], false],
  [[], ['a'], false],
])('%j includes all of %j: %s', (all, some, expected) => {
  expect(includesAll(all, some)).toBe(expected)
})
