/** `.ci/run` adds up what the tests' summaries say, and a run that has left tests out is not a success. */

import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MODULE_CACHE } from '../vitest.shared.ts'
import { ROOT } from './_sources.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-ci-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  code: number
  output: string
  /** The last line. */
  sum: string | undefined
}

const run = (file: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise((done) => {
    execFile(file, args, { cwd: ROOT, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`
      const code = error === null ? 0 : Number(error.code)
      done({ code, output, sum: stdout.trimEnd().split('\n').at(-1) })
    })
  })

/** Runs it with commands that print these texts instead of pnpm's. */
function ciRun(texts: { test: string; long: string; code?: number }): Promise<Ended> {
  const bin = mkdtempSync(join(folder, 'bin-'))
  const npx = `#!/bin/sh
case "$3" in
  test) printf '%s\\n' "$TEST_SAYS" ;;
  test:long) printf '%s\\n' "$LONG_SAYS"; exit "$LONG_CODE" ;;
esac
`
  writeFileSync(join(bin, 'npx'), npx)
  chmodSync(join(bin, 'npx'), 0o755)
  return run('bash', ['.ci/run'], {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    TEST_SAYS: texts.test,
    LONG_SAYS: texts.long,
    LONG_CODE: String(texts.code ?? 0),
  })
}

const TWO_PACKAGES = `@ostiary/core:test:       Tests  7 passed (7)
@ostiary/host:test:       Tests  2 passed (2)`

describe('.ci/run', () => {
  it('adds up what all packages say, in both runs', async () => {
    const { code, sum } = await ciRun({
      test: TWO_PACKAGES,
      long: '@ostiary/core:test:long:       Tests  30 passed | 1 skipped (31)',
    })
    expect([code, sum]).toEqual([0, '39 passed, 0 failed'])
  })

  it('a test that failed', async () => {
    const long = '@ostiary/core:test:long:       Tests  1 failed | 30 passed (31)'
    const { code, sum } = await ciRun({ test: TWO_PACKAGES, long, code: 1 })
    expect([code, sum]).toEqual([1, '39 passed, 1 failed'])
  })

  it('a command that fails without a failed test counts as one', async () => {
    const { code, sum } = await ciRun({ test: TWO_PACKAGES, long: '', code: 1 })
    expect([code, sum]).toEqual([1, '9 passed, 1 failed'])
  })

  it('lists each file that had no time, once, and counts it as failed', async () => {
    const { code, sum, output } = await ciRun({
      test: TWO_PACKAGES,
      long: `@ostiary/core:test:long: NOT RUN, the time is over: packages/core/test/a.test.ts
@ostiary/core:test:long: NOT RUN, the time is over: packages/core/test/b.test.ts
@ostiary/core:test:long: NOT RUN, the time is over: packages/core/test/b.test.ts
@ostiary/core:test:long:       Tests  3 passed | 4 skipped (9)`,
      code: 1,
    })
    expect([code, sum]).toEqual([1, '12 passed, 2 failed'])
    expect(output).toContain(`After 70 minutes:
NOT RUN, the time is over: packages/core/test/a.test.ts
NOT RUN, the time is over: packages/core/test/b.test.ts
12 passed`)
  })
})

describe('the long run of a package', () => {
  const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
  /** Two files, of which the first sets the time. */
  const project = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(join(path, 'test'), { recursive: true })
    writeFileSync(
      join(path, 'vitest.config.ts'),
      `import { REPORTERS } from '${join(ROOT, 'vitest.shared.ts')}'
export default { test: { reporters: REPORTERS } }\n`,
    )
    for (const file of ['a', 'b'])
      writeFileSync(
        join(path, `test/${file}.test.ts`),
        `import { it } from '${join(ROOT, 'node_modules/vitest/dist/index.js')}'
for (const n of [1, 2]) it('test ' + n, () => console.log('ran ${file}', n))\n`,
      )
    return path
  }
  const long = (name: string, not_after: number) =>
    run(process.execPath, [VITEST, 'run', '--root', project(name)], {
      OSTIARY_LONG: '1',
      OSTIARY_NOT_AFTER: String(not_after),
    })

  // The first of these: Vitest forgets whose the folder is when it has emptied it.
  it('outside of the repository leaves its compiled modules alone, which other runs use', async () => {
    const compiled = join(String(MODULE_CACHE.fsModuleCachePath), 'of-another-run')
    mkdirSync(dirname(compiled), { recursive: true })
    writeFileSync(compiled, '')
    await long('elsewhere', Date.now() + 3_600_000)
    expect(existsSync(compiled)).toBe(true)
    rmSync(compiled)
  })

  it('with time left runs everything', async () => {
    const { code, output } = await long('in-time', Date.now() + 3_600_000)
    expect(output).toMatch(/Tests .*4 passed/)
    expect(output).not.toContain('NOT RUN')
    expect(code).toBe(0)
  })

  it('without time runs nothing, says so and fails', async () => {
    const { code, output } = await long('too-late', Date.now() - 1)
    expect(output).not.toContain('ran a')
    expect(output.match(/NOT RUN, the time is over: .*\/[ab]\.test\.ts/g)).toHaveLength(2)
    expect(code).toBe(1)
  })
})
