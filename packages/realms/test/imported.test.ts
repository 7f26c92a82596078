/** A realm that comes with an import: its records are stored, and then it is made, or the import says why not. */

import { expect, it } from 'vitest'
import { importFault, MAX_REALMS, makeImported, memoryRealms, type SettingsRules } from '../src/index.ts'

const ACME = { id: 'acme', settings: {} }
const RULES: SettingsRules<null> = {
  oidcFaults: (id) => [{ path: `oidc.realms.${id}.profile`, message: 'no such profile' }],
  identity_keys: [],
  readIdentity: () => ({ faults: [], identity: null }),
}

it('is made, and not a second time', async () => {
  const store = memoryRealms()
  expect(await makeImported(store, ACME, 1)).toBeNull()
  expect(await makeImported(store, ACME, 2)).toMatch(
    /^the records are imported, but not the realm: one with its id/,
  )
  expect((await store.find('acme'))?.created_at).toBe(1)
})

it('is not made where there are as many as there may be', async () => {
  const store = memoryRealms()
  for (let index = 0; index < MAX_REALMS; index += 1)
    await store.create({ id: `r-${index}`, settings: {} }, 1)
  expect(await makeImported(store, ACME, 2)).toMatch(/there are as many realms as there may be\. Delete one/)
  expect(await store.find('acme')).toBeNull()
})

it('an id that was used, a wrong id and each fault of the settings are told before', async () => {
  const store = memoryRealms()
  const { version } = (await store.create(ACME, 1)) as { version: number }
  await store.remove('acme', { version }, 2)
  expect(await importFault(store, RULES, ACME)).toMatch(/^the realm acme was deleted here/)
  expect(await importFault(store, RULES, { id: 'No', settings: {} })).toMatch(
    /^settings\.id: give lower-case.*\nsettings\.oidc\.profile: no such profile$/s,
  )
})
