/** `allowed_groups` and `required_acr` of a client: what an operator may give, and how it is stored and imported. */

import { ClientInputError, importedClient } from '@ostiary/core'
import { expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse.js'
import { createRealm } from '../src/realm/create-realm.js'
import { client, ISSUER, world } from './support.js'

const w = await world({ oidc: { acr_values_supported: ['urn:low', 'urn:high'] }, clients: [await client()] })
const { clients } = await w.provider.manage(w.realm)

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `group-${n}`)
const faultOf = (change: Promise<unknown>) =>
  change.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ClientInputError ? error.message : Promise.reject(error)),
  )

it.each([
  ['names with odd characters', ['Ä, "ü" \'--', 'a\\b', ' padded ', '<b>', '*', '%', '🦉', 'null']],
  ['100 names', numbered(100)],
  ['a name of 255 characters', ['g'.repeat(255)]],
])('allowed_groups: %s', async (_, allowed_groups) => {
  await clients.update('app', { allowed_groups })
  expect(await clients.find('app')).toMatchObject({ allowed_groups })
})

it.each<[string, unknown, RegExp]>([
  ['no name', [], /allowed_groups: name at least one group, or leave it out/],
  ['101 names', numbered(101), /allowed_groups: .*100/],
  ['a name of 256 characters', ['a', 'g'.repeat(256)], /allowed_groups\.1: .*255/],
  ['an empty name', [''], /allowed_groups\.0: /],
  ['a control character', ['a\u0000'], /allowed_groups\.0: a group has no control characters/],
  ['half of a surrogate pair', ['\ud800'], /allowed_groups\.0: a group has no control characters/],
  ['no list', 'staff', /allowed_groups: /],
])('allowed_groups cannot be %s', async (_, allowed_groups, message) => {
  const changes = { allowed_groups } as { allowed_groups: string[] }
  expect(await faultOf(clients.update('app', changes))).toMatch(message)
})

it('required_acr is one of the values that the realm supports', async () => {
  await clients.update('app', { required_acr: 'urn:high' })
  expect(await clients.find('app')).toMatchObject({ required_acr: 'urn:high' })
  const refused = /required_acr: must be one of oidc\.acr_values_supported: urn:low, urn:high/
  for (const required_acr of ['2', ' urn:high', 'URN:HIGH'])
    expect(await faultOf(clients.update('app', { required_acr }))).toMatch(refused)
})

it('null takes both away', async () => {
  await clients.update('app', { allowed_groups: ['staff'], required_acr: 'urn:high' })
  await clients.update('app', { allowed_groups: null, required_acr: null })
  expect(await clients.find('app')).toMatchObject({ allowed_groups: null, required_acr: null })
})

it('an imported record has them, and one of an earlier release has none', async () => {
  const realm = createRealm('default', parseConfig({ issuer: ISSUER }).settings)
  const imported = (record: object) => importedClient({ ...record }, { realm, unknown_secret_hash: 'x' })
  const record = await client({ allowed_groups: ['staff'], required_acr: '2' })
  expect(imported(record)).toEqual({ client: record })
  const { allowed_groups: _, required_acr: __, ...earlier } = record
  expect(imported(earlier)).toEqual({ client: await client() })
  expect(imported({ ...record, required_acr: '3' })).toMatchObject({ faults: [{ field: 'required_acr' }] })
})
