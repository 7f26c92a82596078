/** The examples in the docstrings of the published packages compile. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'
import { compile } from './snippets.ts'

/** Functions that a program begins with, and those that are hard to combine with them without an example. */
const WITH_EXAMPLE = [
  'access-rules/src/applications.ts createApplications',
  'access-rules/src/refused.ts refusedPage',
  'account-deletion/src/account-deletion.ts createAccountDeletion',
  'addresses/src/addresses.ts createAddresses',
  'admin/src/api/admin.ts createAdmin',
  'audit-sinks/src/sinks.ts createSinks',
  'audit/src/audit.ts createAudit',
  'console-activity/src/areas.ts withActivity',
  'console/src/console.ts createConsole',
  'core/src/provider.ts createProvider',
  'core/src/provider/development.ts developmentPages',
  'core/src/storage/memory/memory-storage.ts memoryStorage',
  'create-ostiary/src/project.ts createProject',
  'email-codes/src/email-codes.ts createEmailCodes',
  'email-sign-in/src/email-sign-in.ts createEmailSignIn',
  'host/src/process/serve.ts serve',
  'identity/src/identity.ts createIdentity',
  'password-hashes/src/passwords.ts withOlderHashes',
  'password-rules/src/password-rules.ts passwordRules',
  'recovery/src/recovery.ts createRecovery',
  'resource-server/src/adapters/express.ts protect',
  'resource-server/src/adapters/fastify.ts protect',
  'resource-server/src/adapters/hono.ts protect',
  'resource-server/src/resource-server.ts createResourceServer',
  'resource-server/src/scopes.ts scopeCheck',
  'sign-up/src/sign-up.ts createSignUp',
  'simulation/src/simulation.ts createSimulation',
  'storage-conformance/src/index.ts storageConformance',
  'storage-pglite/src/pglite-executor.ts pgliteExecutor',
  'storage-postgres/src/storage.ts postgresStorage',
  'storage-postgres/src/storage.ts postgresStores',
  'storage-redis/src/connection/connect.ts connect',
  'storage-redis/src/diagnosis/diagnose.ts diagnose',
  'storage-redis/src/redis-storage.ts redisStorage',
  'terms/src/terms.ts createTerms',
  'upstream/src/upstreams.ts createUpstreams',
]

interface Example {
  /** File and name of what it belongs to. */
  of: string
  code: string
}

function examplesOf(file: string): Example[] {
  const lines = readFileSync(join(ROOT, 'packages', file), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    if (line.trim() !== '* ```ts') return []
    const end = lines.findIndex((each, i) => i > at && each.trim() === '* ```')
    const owner = lines.slice(end).find((each) => each.startsWith('export '))
    const code = lines.slice(at + 1, end).map((each) => each.replace(/^ \* ?/, ''))
    const name = owner?.match(/^export (?:async )?function (\w+)/)?.[1]
    return [{ of: `${file} ${name}`, code: code.join('\n') }]
  })
}

const examples = readdirSync(join(ROOT, 'packages')).flatMap((name) =>
  readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => examplesOf(`${name}/src/${path.replaceAll('\\', '/')}`)),
)

it('the functions that need an example have one, and no others', () => {
  expect(examples.map(({ of }) => of).sort()).toEqual(WITH_EXAMPLE)
})

it('each example compiles', async () => {
  const files = examples.map(({ code }, i) => ({ name: `example-${i}.ts`, code: `${code}\nexport {}\n` }))
  const { remove } = await compile(files)
  remove()
})
