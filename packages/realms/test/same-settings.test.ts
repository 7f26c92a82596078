/** Settings that are there already change nothing: no version, and no row of the audit. */

import { expect, it } from 'vitest'
import { hasSettings } from '../src/changes.ts'

const REALM = { settings: { oidc: { tokens: { access_token: 300, id_token: 60 } } } }

it('whichever order they are in, and whether an empty member is named', () => {
  const turned = JSON.parse('{"identity":{},"oidc":{"tokens":{"id_token":60,"access_token":300}}}')
  expect(hasSettings(REALM, turned)).toBe(true)
})

it.each([
  { oidc: { tokens: { access_token: 300 } } },
  { oidc: { tokens: { access_token: 300, id_token: '60' } } },
  { ...REALM.settings, identity: { second_factor: 'required' } },
  {},
])('but not with %j', (settings) => {
  expect(hasSettings(REALM, settings)).toBe(false)
})
