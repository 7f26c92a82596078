import { describe, expect, it } from 'vitest'
import type { Client, Consent } from '../storage/storage.js'
import { consentCovers, needsNoConsent } from './consent-rules.js'

const row = (resource: string, scopes: string, revoked_at: number | null = null): Consent => ({
  sub: 'alice',
  client_id: 'app',
  resource,
  scopes: scopes.split(' '),
  revoked_at,
  created_at: 1,
  updated_at: 1,
})

describe('consentCovers: live rows cover every scope in play at every resource', () => {
  it.each<[string, Consent[], string[], string[], boolean]>([
    ['no row', [], ['r'], ['a'], false],
    ['no row, no scope in play', [], ['r'], [], false],
    ['a row, no scope in play', [row('r', 'a')], ['r'], [], true],
    ['the same scopes', [row('r', 'a b')], ['r'], ['b', 'a'], true],
    ['fewer scopes', [row('r', 'a b')], ['r'], ['b'], true],
    ['one scope more', [row('r', 'a')], ['r'], ['a', 'b'], false],
    ['a revoked row', [row('r', 'a', 5)], ['r'], ['a'], false],
    ['a row revoked at 0', [row('r', 'a', 0)], ['r'], ['a'], false],
    ["another resource's row", [row('s', 'a')], ['r'], ['a'], false],
    ['both resources', [row('s', 'a'), row('r', 'a')], ['r', 's'], ['a'], true],
    ['one of two resources', [row('r', 'a b')], ['r', 's'], ['a'], false],
    ['two resources, one too narrow', [row('r', 'a b'), row('s', 'a')], ['r', 's'], ['b'], false],
    ['two rows that only together suffice', [row('r', 'a'), row('s', 'b')], ['r'], ['a', 'b'], false],
  ])('%s', (...[_, rows, resources, scopes, expected]) => {
    expect(consentCovers(rows, resources, scopes)).toBe(expected)
  })
})

it.each([
  { trusted: false, consent_required: true, none: false },
  { trusted: true, consent_required: true, none: true },
  { trusted: false, consent_required: false, none: true },
  { trusted: true, consent_required: false, none: true },
])('needsNoConsent of trusted $trusted, consent_required $consent_required: $none', ({ none, ...fields }) => {
  expect(needsNoConsent(fields as Client)).toBe(none)
})
