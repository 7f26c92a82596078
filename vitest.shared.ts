import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** The scripts `test:long` and `test:weekly` set it: more rounds, more servers, more rows, and files of their own. */
export const LONG: boolean = process.env.OSTIARY_LONG === '1'
/** The script `test:weekly` of a package whose files are the same in both runs sets it too. */
export const WEEKLY: boolean = process.env.OSTIARY_WEEKLY === '1'

/** docs/contract-coverage.md is checked against the reports of the short run. */
const REPORT = ['report', ...('Bun' in globalThis ? ['bun'] : []), ...(LONG ? ['long'] : []), 'json'].join(
  '.',
)

/** `.ci/run` sets it for the long run: the epoch milliseconds after which no test begins. */
const NOT_AFTER = Number(process.env.OSTIARY_NOT_AFTER) || Number.POSITIVE_INFINITY
const MAX_TIMER_MS = 2 ** 31 - 1
const ROOT = fileURLToPath(new URL('.', import.meta.url))

/** Ends the run when its time is over: the test that is running goes on to its end, and the run fails. */
function timeLimit(): Reporter {
  let vitest: Vitest
  // A test that the run has left out is `skipped` in the file that was running, and `pending` in the files after it.
  const isCut = (module: TestModule): boolean =>
    module.state() === 'pending' ||
    [...module.children.allTests()].some((test) => /^(?:pending|skipped)$/.test(test.result().state))
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunStart() {
      const left = Math.min(Math.max(NOT_AFTER - Date.now(), 0), MAX_TIMER_MS)
      setTimeout(() => vitest.cancelCurrentRun('test-failure'), left).unref()
    },
    onTestRunEnd(modules, _errors, reason) {
      if (reason !== 'interrupted') return
      for (const module of modules.filter(isCut))
        console.log(`NOT RUN, the time is over: ${relative(ROOT, module.moduleId)}`)
    },
  }
}

/** A package whose configuration does not begin with the one below takes these. */
export const REPORTERS: NonNullable<NonNullable<ViteUserConfig['test']>['reporters']> = [
  'default',
  ['json', { outputFile: `node_modules/.vitest/${REPORT}` }],
  ...(LONG ? [timeLimit()] : []),
]

/** What decides how a module is compiled and resolved, beside its text: the installed versions, and `exports` and `imports`. */
function resolution(): string {
  const manifests = ['packages', 'apps', 'test', 'examples'].flatMap((group) =>
    readdirSync(`${ROOT}${group}`).map((name) => `${ROOT}${group}/${name}/package.json`),
  )
  const hash = createHash('sha256')
  for (const file of [`${ROOT}pnpm-lock.yaml`, ...manifests.filter((path) => existsSync(path))])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Each module is compiled once for all files, projects and runs of a package: half the processor time of a file that imports host.
 * Vitest empties the folder when the lockfile of its root is another one, and another run could write there at that moment:
 * so the lockfile is part of the path, and a root outside of this repository takes no cache.
 */
export const MODULE_CACHE: NonNullable<NonNullable<ViteUserConfig['test']>['experimental']> = {
  fsModuleCache: true,
  fsModuleCachePath: `${ROOT}node_modules/.vitest-modules/${resolution()}`,
}

/** The package under test: its scripts run in its folder. */
const TESTED: { name: string; exports?: Record<string, { development?: string }> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/**
 * Vite adds the condition `development`, with which a package is its sources, and Vitest passes it on to the Node of a worker.
 * Without it a package is what was built of it, but the package under test, which stays its sources.
 */
const builtPackages: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'built-packages',
  enforce: 'pre',
  configResolved({ ssr, environments }) {
    for (const place of [ssr, ...Object.values(environments)])
      if (place.resolve?.conditions)
        place.resolve.conditions = place.resolve.conditions.filter((name) => !name.startsWith('development'))
  },
  resolveId(id) {
    const { name, exports } = TESTED
    if (id !== name && !id.startsWith(`${name}/`)) return null
    const source = exports?.[`.${id.slice(name.length)}`]?.development
    return source === undefined ? null : resolve(source)
  },
}

/**
 * Tests stand beside the source and in test/. Core takes these always, because it counts what resource-server calls; and resource-server,
 * whose `imports` name sources too.
 */
export const FROM_SOURCES: ViteUserConfig = defineConfig({
  // Other packages of this repository resolve to their source: tests need no build.
  ssr: { resolve: { conditions: ['development', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(LONG ? [] : ['**/*.long.test.ts', '**/*.weekly.test.ts'])],
    // No file leaves anything behind for the next one, so they can share the modules: half the time.
    isolate: false,
    setupFiles: [`${ROOT}vitest.setup.ts`],
    experimental: MODULE_CACHE,
    // The only clock of a test: a busy machine is many times slower.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: REPORTERS,
  },
})

/**
 * The settings of tests that start built servers, and so need a build anyway. Node loads what was built in a tenth of the time that
 * Vitest takes for the sources.
 */
export const ON_BUILT: ViteUserConfig = {
  ...FROM_SOURCES,
  plugins: [builtPackages],
  ssr: { resolve: { conditions: ['node'] } },
  test: { ...FROM_SOURCES.test, server: { deps: { external: [/\/packages\/[\w-]+\/dist\//] } } },
}

/** The settings that all packages share. The scripts of the repository set the variable when they have built everything. */
const config: ViteUserConfig = process.env.OSTIARY_BUILT === '1' ? ON_BUILT : FROM_SOURCES
export default config
