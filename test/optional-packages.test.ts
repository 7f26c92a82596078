/** What the packages load at run time that a server loads only where its configuration asks for them (scripts/build.mjs). */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SERVER } from '../scripts/build.mjs'
import { loadedBy, packagesOf, ROOT, sourcesOf } from './_sources.ts'

/** What a server has a copy of already: core, identity, messages, jose and zod. This entry point of core has none of them. */
const COMMON = '@ostiary/core/common'

/** The files that load more, and when. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  // The admin API checks what is sent by the schemas of core. A server that has it loads core and zod a second time.
  'admin api/admin': ['@ostiary/core'],
  'admin api/openapi': ['zod'],
  'admin api/operations/access': ['zod'],
  'admin api/operations/audit': ['zod'],
  'admin api/operations/client-documents': ['zod'],
  'admin api/operations/clients': ['@ostiary/core', 'zod'],
  'admin api/operations/invitation': ['zod'],
  'admin api/operations/links': ['zod'],
  'admin api/operations/registration': ['zod'],
  'admin api/operations/roles': ['zod'],
  'admin api/operations/throttles': ['zod'],
  'admin api/operations/upstreams': ['zod'],
  'admin api/operations/user-access': ['zod'],
  'admin api/operations/users': ['zod'],
  'admin api/operations/ways-in': ['zod'],
  'admin api/read-request': ['@ostiary/core'],
  'admin api/refused': ['@ostiary/core'],
  'admin api/schemas': ['zod'],
  // With the first request of `ostiary login`, `ostiary logout`, or a connection.
  'admin-client sign-in/discover': ['openid-client'],
  // The commands read the audit and the roles, which load nothing else.
  'admin-commands audit/commands': ['@ostiary/audit', '@ostiary/explain'],
  'admin-commands audit/history/inverse': ['@ostiary/audit/rows'],
  'admin-commands audit/history/record-at': ['@ostiary/audit/rows'],
  'admin-commands audit/history/rows': ['@ostiary/audit/rows'],
  'admin-commands audit/runs': ['@ostiary/audit/rows'],
  // With `ostiary audit verify`.
  'admin-commands audit/verify': ['@ostiary/audit/rows', 'jose'],
  // With the admin API, which has loaded zod.
  'admin-commands operations': ['@ostiary/admin/roles', '@ostiary/audit', '@ostiary/personal-data', 'zod'],
  'admin-commands person/commands': ['@ostiary/personal-data'],
  'admin-commands roles/remote': ['@ostiary/admin/roles'],
  'admin-commands roles/runs': ['@ostiary/admin/roles'],
  // Sinks are loaded with the audit alone.
  'audit-sinks row-types': ['@ostiary/audit'],
  // With `ostiary explain`, and with its operation of the admin API.
  'explain advice': ['@ostiary/audit/rows'],
  'explain before': ['@ostiary/audit/rows'],
  'explain expired': ['@ostiary/audit/rows'],
  'explain mended': ['@ostiary/audit/rows'],
  'explain sentence': ['@ostiary/audit/rows'],
  'explain story': ['@ostiary/audit/rows'],
  // With `ostiary user import`, which checks users as core and identity do.
  'password-hashes import/user-line': ['@ostiary/core', '@ostiary/identity', 'zod'],
  // With the admin API, which has loaded it.
  'realms api': ['zod'],
  'realms console/acts': ['@ostiary/console'],
  'realms console/pages': ['@ostiary/console'],
  'realms console/visit': ['@ostiary/console'],
  // With the admin API, which has loaded core and zod.
  'realm-operations client-users': ['zod'],
  'realm-operations keys': ['@ostiary/core', 'zod'],
  'realm-operations lists': ['zod'],
  'realm-operations mail': ['zod'],
  'realm-operations status': ['zod'],
  'simulation operation-schemas': ['zod'],
  // With the first page of the console.
  'console session/oauth': ['oauth4webapi'],
  // With the first page of the console, which has loaded it.
  'console-activity audit/changes': ['@ostiary/console'],
  'console-activity audit/list': ['@ostiary/console'],
  'console-activity audit/one': ['@ostiary/console'],
  'console-activity audit/pages': ['@ostiary/console'],
  'console-activity audit/undo': ['@ostiary/console'],
  'console-activity explain/page': ['@ostiary/console'],
  'console-activity find/page': ['@ostiary/console'],
  'console-activity find/search': ['@ostiary/console'],
  'console-activity home/health': ['@ostiary/console'],
  'console-activity home/home': ['@ostiary/console'],
  'console-activity home/refusals': ['@ostiary/console'],
  'console-activity home/today': ['@ostiary/console'],
  'console-activity pages/notice': ['@ostiary/console'],
  'console-activity rows/names': ['@ostiary/console'],
  'console-activity rows/row': ['@ostiary/console'],
  'console-activity sign-ins/list': ['@ostiary/console'],
  'console-activity visit': ['@ostiary/console'],
  // Its pages are made of what the console has.
  'console-clients area': ['@ostiary/console'],
  'console-clients clients/client': ['@ostiary/console'],
  'console-clients clients/detail': ['@ostiary/console'],
  'console-clients clients/edit': ['@ostiary/console'],
  'console-clients clients/forms': ['@ostiary/console'],
  'console-clients clients/list': ['@ostiary/console'],
  'console-clients texts/texts': ['@ostiary/console'],
  'console-clients try/authorization': ['@ostiary/console'],
  'console-clients try/outcome': ['@ostiary/console'],
  'console-clients try/pages': ['@ostiary/console'],
  'console-clients try/sign-in': ['@ostiary/console'],
  'console-clients try/tokens': ['@ostiary/console'],
  'console-clients try/user': ['@ostiary/console'],
  'console-clients visit': ['@ostiary/console'],
  'console-settings acts': ['@ostiary/console'],
  'console-settings keys/acts': ['@ostiary/console'],
  'console-settings keys/pages': ['@ostiary/console'],
  'console-settings mail/pages': ['@ostiary/console'],
  'console-settings roles/acts': ['@ostiary/console'],
  'console-settings roles/pages': ['@ostiary/console'],
  'console-settings roles/role': ['@ostiary/console'],
  'console-settings visit': ['@ostiary/console'],
  'console-setup registration/documents': ['@ostiary/console'],
  'console-setup registration/overview': ['@ostiary/console'],
  'console-setup registration/pages': ['@ostiary/console'],
  'console-setup upstreams/check': ['@ostiary/console'],
  'console-setup upstreams/pages': ['@ostiary/console'],
  'console-setup visit': ['@ostiary/console'],
  // Opens the database.
  'storage-pglite pglite-executor': ['@electric-sql/pglite'],
  // While the package is built.
  'storage-pglite make-template': ['@electric-sql/pglite', '@ostiary/storage-postgres'],
}

const OPTIONAL = SERVER.external
  .map((name) => /^@ostiary\/([\w-]+)$/.exec(name)?.[1])
  .filter((name) => name !== undefined)

it('each of our packages that is not in the program of a server is looked at', () => {
  expect(OPTIONAL).toContain('audit')
  expect(OPTIONAL.filter((name) => !existsSync(join(ROOT, 'packages', name, 'src')))).toEqual([])
})

describe.each(OPTIONAL)('%s', (name) => {
  it(`loads no package but ${COMMON}`, () => {
    const files = sourcesOf(`packages/${name}`)
    const found = files.flatMap((file) => {
      const allowed = [COMMON, ...(MORE[`${name} ${file.name}`] ?? [])]
      return packagesOf(file.text)
        .filter((each) => !allowed.includes(each))
        .map((each) => `${file.name} -> ${each}`)
    })
    expect(found).toEqual([])
  })
})

it('each exception is one', () => {
  const unused = Object.entries(MORE).flatMap(([place, names]) => {
    const [name = '', file = ''] = place.split(' ')
    const text = readFileSync(join(ROOT, 'packages', name, 'src', `${file}.ts`), 'utf8')
    return names.filter((each) => !packagesOf(text).includes(each)).map((each) => `${place} -> ${each}`)
  })
  expect(unused).toEqual([])
})

it(`${COMMON} loads no package, and few files`, () => {
  const files = loadedBy(sourcesOf('packages/core'), 'common/index')
  expect(files.flatMap(({ text }) => packagesOf(text))).toEqual([])
  expect(files.map(({ name }) => name).sort()).toEqual([
    'common/index',
    'config/config-error',
    'refusals/reference',
    'request/counter-keys',
    'storage/storable-client',
    'util/in-parallel',
    'util/loopback',
    'util/unless-aborted',
    'util/usernames',
  ])
})
