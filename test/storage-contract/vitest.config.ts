import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { LONG, MODULE_CACHE, REPORTERS, WEEKLY } from '../../vitest.shared.ts'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** @throws Error for a name without a file: a renamed file would change what runs here. */
const tests = (...names: string[]): string[] =>
  names.map((name) => {
    const file = `test/${name}.test.ts`
    if (!existsSync(path(`../../packages/core/${file}`))) throw new Error(`There is no ${file} in core`)
    return file
  })

/** These use no storage: source rules, pure rules, documents, texts of answers. */
const WITHOUT_STORAGE = tests(
  'all-switches-off',
  'answers',
  'application-pages',
  'audience-check',
  'authorize-errors',
  'authorize-http',
  'authorize-scope',
  'bad-tokens',
  'bound-tokens',
  'browser-pages',
  'client-assertion-work',
  'client-cache',
  'client-documents-flood',
  'client-documents-flood.long',
  'client-jwks-uri',
  'clients',
  'connect-flow',
  'delivery-places',
  'derivations',
  'development',
  'development-log',
  'discovery',
  'document-cache',
  'document-limits-table',
  'exchanged-token-principals',
  'failing-writes',
  'guard-checks',
  'metadata-document',
  'option-types',
  'options',
  'protected-resource',
  'pushed-request-errors',
  'realms-config',
  'remote-validation',
  'signatures',
  'tokens-claims',
  'verified-tokens',
)
/** One flow of each kind of record: written once, changed if it is still as read, deleted in steps, found by a column. */
const ON_POSTGRES = tests('client-deletion', 'code', 'realms', 'refresh', 'revocation', 'user-deletion')
/** What the mix keeps in Redis: sessions, and what waits for an answer. The rest is PostgreSQL's there too. */
const ON_THE_MIX = tests('login-races', 'lost-sessions', 'pending-requests')

/** More changes of the same records, many of them, and limits that the database counts. */
const LONG_ON_POSTGRES = tests(
  'background',
  'ceilings',
  'client-update',
  'clients-with-keys',
  'key-revocation',
  'many-records',
  'refresh-grace',
  'registration',
  'registration-reuse',
  'secret-change',
  'session-use',
  'throttles-table',
)
/** Counters and leases in Redis, and unusual text in each record. */
const LONG_ON_THE_MIX = tests(
  'delivery-pool',
  'device-polls',
  'end-session',
  'endings',
  'login-session',
  'logout-deliveries',
  'properties',
  'pushed-requests',
  'raised-sessions',
  'token-exchange',
  'unauthenticated-requests',
)

/**
 * The same records with other fields: grants that are bound to a key, that live otherwise, of APIs. What reads them in the course of pages,
 * prompts and rules of core's; and what is Redis's where there is one.
 */
const WEEKLY_ON_POSTGRES = [
  ...ON_THE_MIX,
  ...LONG_ON_THE_MIX,
  ...tests(
    'authorize',
    'authorize-prompt',
    'cancel-request',
    'chosen-tags',
    'client-auth',
    'client-documents',
    'client-lifetimes',
    'consent',
    'consent-endpoint',
    'device-pages',
    'dpop-access',
    'dpop-bound-grants',
    'dpop-pushed-requests',
    'dpop-token',
    'events',
    'exchange-by-apis',
    'forged-ids',
    'guard',
    'introspection',
    'login',
    'management',
    'management-clients',
    'pkce-required',
    'refresh-renewal',
    'registered-client',
    'registration-policy',
    'step-up',
    'tags',
    'token',
    'userinfo',
  ),
]
const EVERY_FILE = ['test/**/*.test.ts']

interface Files {
  include: string[]
  exclude: string[]
}
const SHORT_RUN: Record<'postgres' | 'mix', Files> = {
  postgres: { include: ON_POSTGRES, exclude: [] },
  mix: { include: ON_THE_MIX, exclude: [] },
}
const LONG_RUN: typeof SHORT_RUN = {
  postgres: { include: LONG_ON_POSTGRES, exclude: [] },
  mix: { include: LONG_ON_THE_MIX, exclude: [] },
}
/** What the other two leave out. The mix runs every file: a new one, too. */
const WEEKLY_RUN: typeof SHORT_RUN = {
  postgres: { include: WEEKLY_ON_POSTGRES, exclude: [] },
  mix: { include: EVERY_FILE, exclude: [...WITHOUT_STORAGE, ...ON_THE_MIX, ...LONG_ON_THE_MIX] },
}
function filesOfTheRun(): typeof SHORT_RUN {
  if (WEEKLY) return WEEKLY_RUN
  return LONG ? LONG_RUN : SHORT_RUN
}
const FILES = filesOfTheRun()

/** The part of core's suite that depends on the storage, on each storage, and the tests of this folder. */
const config: ViteUserConfig = defineConfig({
  test: {
    // They wait for the databases half of their time.
    maxWorkers: 2,
    reporters: REPORTERS,
    experimental: MODULE_CACHE,
    projects: [
      {
        test: {
          name: 'conformance',
          include: LONG ? [] : EVERY_FILE,
          experimental: MODULE_CACHE,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      ...(['postgres', 'mix'] as const).map((name) => ({
        resolve: {
          alias: [
            { find: '@ostiary/core/memory', replacement: path('src/storage.ts') },
            {
              find: '@ostiary/core/development',
              replacement: path('../../packages/core/src/provider/development.ts'),
            },
            {
              find: '@ostiary/core/common',
              replacement: path('../../packages/core/src/common/index.ts'),
            },
            { find: '@ostiary/core', replacement: path('../../packages/core/src/index.ts') },
          ],
        },
        test: {
          name,
          root: path('../../packages/core'),
          ...FILES[name],
          isolate: false,
          experimental: MODULE_CACHE,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          env: { CONTRACT_STORAGE: name },
          // In per cent. Core runs all of them itself, on two runtimes; here they show what a database does with unusual text.
          provide: { property_runs: WEEKLY ? 100 : 10 },
        },
      })),
    ],
  },
})
export default config
