/** Each key of a former version is an error that says what to write: in the file, in a realm, in a variable, and in `doctor`. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RETIRED_PATHS, retiredMessage } from '../src/config/retired-keys.ts'
import { doctor } from '../src/doctor/doctor.ts'
import { FILE, faults, folder, SECRET } from './support.ts'

/** A configuration with this key; `*` is `mcp`. */
const fileWith = (path: string): object =>
  path
    .replace('*', 'mcp')
    .split('.')
    .reduceRight<unknown>((inner, step) => ({ [step]: inner }), 1) as object

const lineOf = (path: string, place = path) => `${place.replace('*', 'mcp')}: ${retiredMessage(path)}`
const named = (path: string) => `OSTIARY_${path.toUpperCase().replaceAll('.', '__')}`

it('the keys of failed sign-ins name the one number, and its share', () => {
  const paths = RETIRED_PATHS.filter((path) => path.startsWith('login.'))
  expect(paths.map(retiredMessage)).toEqual([
    'this key no longer exists: set login.failures to the same number',
    'this key no longer exists: set login.failures to the same number',
    'this key no longer exists: set login.failures to a fifth of it',
    'this key no longer exists: set login.failures to a tenth of it',
    'this key no longer exists: set login.failures to a twentieth of it',
  ])
})

describe.each(RETIRED_PATHS)('%s', (path) => {
  it('in the file, and doctor says the same', async () => {
    const file = { app: FILE.app, ...fileWith(path) }
    expect(await faults(file)).toEqual([lineOf(path)])
    const cwd = await folder()
    await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
    expect(await doctor({ OIDC_SECRET: SECRET }, { cwd, offline: true })).toEqual([
      expect.objectContaining({ status: 'fault', message: lineOf(path) }),
    ])
  })
})

const OF_CORE = RETIRED_PATHS.filter((path) => path.startsWith('oidc.'))

it.each(OF_CORE)('%s in a realm of the file', async (path) => {
  const acme = (fileWith(path) as { oidc: object }).oidc
  const file = { app: FILE.app, oidc: { routes: { realms: 'path' }, realms: { acme } } }
  expect(await faults(file)).toEqual([lineOf(path, path.replace('oidc', 'oidc.realms.acme'))])
})

it.each(RETIRED_PATHS.filter((path) => !path.includes('*')))('%s in a variable', async (path) => {
  expect(await faults({ app: FILE.app }, { [named(path)]: '1' })).toEqual([lineOf(path, named(path))])
})

it('a key of a map, in the variable of the map', async () => {
  const path = 'oidc.resources.*.introspection_clients'
  const OSTIARY_OIDC__RESOURCES = JSON.stringify({ mcp: { introspection_clients: [] } })
  expect(await faults({ app: FILE.app }, { OSTIARY_OIDC__RESOURCES })).toEqual([
    lineOf(path, 'OSTIARY_OIDC__RESOURCES.mcp.introspection_clients'),
  ])
})
