/**
 * The rules of the tests that keep them from depending on luck: on how busy the machine is, and on which file ran before.
 * CONTRIBUTING.md has them in words.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { ROOT } from './_sources.ts'

interface TestFile {
  /** Below the repository. */
  path: string
  text: string
}

const FILES: TestFile[] = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.test\.ts$|(?:^|\/)test\//.test(path) && !path.includes('/templates/'))
  // This file has examples of what it refuses.
  .filter((path) => path !== 'test/test-rules.test.ts')
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** The files whose text has something, except those that may. */
const having = (isFound: (text: string) => boolean, allowed: readonly string[] = []): string[] =>
  FILES.filter(({ path, text }) => isFound(text) && !allowed.includes(path)).map(({ path }) => path)
/** A file of a list that no longer needs to be in it: the lists only become shorter. */
const needless = (isFound: (text: string) => boolean, allowed: readonly string[]): string[] =>
  allowed.filter((path) => !having(isFound).includes(path))

interface Node {
  type: string
  start: number
  end: number
}
interface Call extends Node {
  callee: Node & { name?: string; object?: Node; callee?: Node; tag?: Node; property?: Node }
  arguments: (Node & {
    value?: unknown
    left?: Node & { value?: unknown }
    right?: Node & { name?: string }
  })[]
}

function callsIn(text: string): Call[] {
  const calls: Call[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && value.type === 'CallExpression') calls.push(value as Call)
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return calls
}

/** `it` of `it.each(…)('title', …)`. */
function nameOf(node: Call['callee'] | undefined): string | undefined {
  if (node?.name !== undefined) return node.name
  const inner = node?.object ?? node?.callee ?? node?.tag
  return inner && nameOf(inner as Call['callee'])
}

const waits = (text: string): boolean => /\bvi\s*\.wait(?:For|Until)\b|\bexpect\s*\.poll\b/.test(text)

/** Names of durations that were measured. */
const MEASURED =
  /\bperformance\b|\bDate\.now\b|\b(?:ms|millis\w*|seconds|elapsed|took|duration|times|median|slowest)\b|_(?:ms|seconds)\b/
/** `expect(<a measured time>).toBeLessThan(…)`. */
const hasUpperBound = (text: string): boolean =>
  text.includes('.toBeLessThan') &&
  callsIn(text).some(({ callee, arguments: [limit] }) => {
    if (limit === undefined) return false
    const assertion = text.slice(callee.start, callee.end)
    const [, asserted] = /^expect\(([\s\S]*)\)\s*\.toBeLessThan(?:OrEqual)?$/.exec(assertion) ?? []
    return asserted !== undefined && MEASURED.test(asserted)
  })

const MIN_TIMEOUT_MS = 180_000
/** A number, or a number of a unit, as the last argument of a call. */
const LAST_NUMBER = /,\s*\d[\d_]*(?: \* [A-Z]+)?,?\s*\)/
const UNITS: Record<string, number> = { SECONDS: 1000, MINUTES: 60_000 }
const TIMED = 'it test describe beforeAll beforeEach afterAll afterEach'.split(' ')
const hasShortTimeout = (text: string): boolean =>
  (LAST_NUMBER.test(text) &&
    callsIn(text).some(({ callee, arguments: args }) => {
      const last = args.at(-1)
      if (args.length < 2 || !TIMED.includes(nameOf(callee) ?? '')) return false
      const ms = last?.left ? Number(last.left.value) * (UNITS[last.right?.name ?? ''] ?? 1) : last?.value
      return typeof ms === 'number' && ms < MIN_TIMEOUT_MS
    })) ||
  [...text.matchAll(/\b(?:test|hook)Timeout: ([\d_]+)/g)].some(
    ([, ms = '']) => Number(ms.replaceAll('_', '')) < MIN_TIMEOUT_MS,
  )

const hasStatementTimeout = (text: string): boolean =>
  text.includes('postgresExecutor(') &&
  callsIn(text).some(
    ({ callee, start, end }) =>
      callee.name === 'postgresExecutor' && !/\bUNLIMITED\b|statementTimeout/.test(text.slice(start, end)),
  )
/** The tests of the limits of a connection, and of the sum of them behind a pooler and during a failover. */
const LIMITS = [
  'apps/fault-tests/test/failover.long.test.ts',
  'apps/fault-tests/test/pgbouncer.long.test.ts',
  'packages/storage-postgres/test/failover.long.test.ts',
  'packages/storage-postgres/test/outages.test.ts',
  'packages/storage-postgres/test/refusals.test.ts',
]

const hasModuleMock = (text: string): boolean => /\bvi\.(?:mock|doMock)\(/.test(text)
/** Before, for what a file of the same worker has loaded; and after, for the files that follow. */
const isUndone = (text: string): boolean =>
  (text.match(/\bvi\.resetModules\(\)/g) ?? []).length >= 2 && /\bvi\.doUnmock\(/.test(text)

const sleeps = (text: string): boolean =>
  /\bsetTimeout\b[^\n]* from 'node:timers\/promises'/.test(text) ||
  /new Promise[^\n]*\bsetTimeout\(/.test(text)
/** A pause between the requests of a load, or the length of a measurement; and `eventually` itself. */
const PAUSING = [
  'apps/fault-tests/test/ill-range.long.test.ts',
  'apps/fault-tests/test/many-realms.weekly.test.ts',
  'apps/fault-tests/test/outage-load.ts',
  'apps/fault-tests/test/redis-load.ts',
  'apps/fault-tests/test/two-servers.long.test.ts',
  'apps/fault-tests/test/wrong-clock.long.test.ts',
  'apps/server-tests/test/rolling-restart.test.ts',
  'packages/core/test/client-documents.test.ts',
  'packages/core/test/delivery-pool.test.ts',
  'test/kit/src/eventually.ts',
  'test/local-services/test/launched.ts',
]

/** The first or the last characters of a text replaced by given ones, which a random text may have already. */
const replacesByChance = (text: string): boolean =>
  /`[\w-]{1,5}\$\{[\w.()' ]+\.slice\([1-5]\)\}`|\.slice\(0, -[1-5]\)\}[\w-]{1,5}`/.test(text)
/** The text that they change is always the same. */
const CONSTANT_TEXT = [
  'packages/core/src/clients/client-keys.test.ts',
  'packages/identity/src/factors/passkey/passkey.test.ts',
]

/** A few letters, which a random text of a record, such as an id, may have in it. */
const findsByChance = (text: string): boolean =>
  /JSON\.stringify\([^\n]*\)\)\.not\.to(?:Match\(\/[a-z]{1,4}\/i|Match\(\/\w{1,3}\/|Contain\('\w{1,3}'\))/i.test(
    text,
  )

/** A kid may begin with a dash, as an option does. */
const passesKidByChance = (text: string): boolean => /keys revoke (?!.*-- \$\{)[^`\n]*\$\{/.test(text)

/** The log of another process reaches the test by a pipe, later than the answer of the same request. */
const readsLogAtOnce = (text: string): boolean => {
  if (!text.includes('logged(')) return false
  const calls = callsIn(text)
  const waiting = calls.filter(({ callee }) => nameOf(callee) === 'eventually')
  return calls.some(({ callee, start, end }) => {
    const asserts = callee.property !== undefined && nameOf(callee) === 'expect'
    if (!asserts || waiting.some((wait) => wait.start < start && end < wait.end)) return false
    const assertion = text.slice(start, end)
    return /\.logged\((?!'listening')/.test(assertion) && !assertion.endsWith('.toEqual([])')
  })
}
/** After the end of the process, or of a host in the test's own. */
const COMPLETE_LOGS = ['apps/server-tests/test/dev.long.test.ts', 'packages/host/test/log-hygiene.test.ts']

/** A page that is loading has no body, or a part of it. `inPage` of test/kit waits. The names are those that variables of a page have. */
const readsUnloadedPage = (text: string): boolean => /\b(?:page|tab|copy|popup|other)\.evaluate\(/i.test(text)
const IN_PAGE = ['test/kit/src/chromium.ts']

/** A counter of a limit ends with its window, at a multiple of its length: the real clock may pass one during the test. */
const countsByTheRealClock = (text: string): boolean =>
  (/\bstartApp\(/.test(text) && /\b429\b/.test(text) && !/\bnow\b/.test(text)) ||
  (/\bthrottle (?:list|reset)\b/.test(text) && /\.hit\([^\n]*, NOW\)/.test(text))

/** A limit of the code under test that a busy machine may reach in a step that has to succeed. */
const hasShortLimit = (text: string): boolean =>
  [...text.matchAll(LIMIT_MS)].some(([, ms = '']) => Number(ms.replaceAll('_', '')) < MIN_LIMIT_MS)
const LIMIT_MS =
  /\b(?:stalled|idle|transaction|hello|answer|head|body|unread|timeout|lease|within)_ms: (\d[\d_]*)/g
const MIN_LIMIT_MS = 60_000
/** They expect the end that the limit brings, or repeat what has to succeed before it. */
const SHORT_LIMITS = [
  'apps/node-server/test/runtime.test.ts',
  'apps/server-tests/test/idle.test.ts',
  'packages/host/test/leadership.test.ts',
  'packages/host/test/limits.test.ts',
  'packages/storage-pglite/test/folder-lock.test.ts',
  'packages/storage-pglite/test/shared-limits.test.ts',
  'packages/storage-pglite/test/shared-place.test.ts',
]

describe('the tests', () => {
  it('are all read', () => {
    expect(FILES.length).toBeGreaterThan(400)
  })

  it('wait with `eventually` of test/kit', () => {
    expect(having(waits)).toEqual([])
  })

  it('change a random text to one that it cannot be', () => {
    expect(having(replacesByChance, CONSTANT_TEXT)).toEqual([])
    expect(needless(replacesByChance, CONSTANT_TEXT)).toEqual([])
  })

  it('look for no few letters in a record, whose ids are random', () => {
    expect(having(findsByChance)).toEqual([])
  })

  it('write -- before a kid of a command', () => {
    expect(having(passesKidByChance)).toEqual([])
  })

  it('wait for the log of another process', () => {
    expect(having(readsLogAtOnce, COMPLETE_LOGS)).toEqual([])
    expect(needless(readsLogAtOnce, COMPLETE_LOGS)).toEqual([])
  })

  it('run functions in a page that has loaded', () => {
    expect(having(readsUnloadedPage, IN_PAGE)).toEqual([])
    expect(needless(readsUnloadedPage, IN_PAGE)).toEqual([])
  })

  it('reach a limit with a clock of their own', () => {
    expect(having(countsByTheRealClock)).toEqual([])
  })

  it('have no upper bound on real time: what never ends meets the time limit of the test', () => {
    expect(having(hasUpperBound)).toEqual([])
  })

  it('give the code a minute or more, unless they are about its limit', () => {
    expect(having(hasShortLimit, SHORT_LIMITS)).toEqual([])
    expect(needless(hasShortLimit, SHORT_LIMITS)).toEqual([])
  })

  it('have three minutes each, or more', () => {
    const configs = execFileSync('git', ['ls-files', '*vitest*.config.ts', 'vitest.shared.ts'], { cwd: ROOT })
    const short = String(configs)
      .split('\n')
      .filter((path) => path !== '' && hasShortTimeout(readFileSync(join(ROOT, path), 'utf8')))
    expect([...having(hasShortTimeout), ...short]).toEqual([])
  })

  it('connect to a database without a time limit, unless they are about it', () => {
    expect(having(hasStatementTimeout, LIMITS)).toEqual([])
    expect(needless(hasStatementTimeout, LIMITS)).toEqual([])
  })

  it('replace a module only for themselves: the files of a worker share what they have loaded', () => {
    expect(having((text) => hasModuleMock(text) && !isUndone(text))).toEqual([])
  })

  it('sleep only as a part of a load or of a measurement', () => {
    expect(having(sleeps, PAUSING)).toEqual([])
    expect(needless(sleeps, PAUSING)).toEqual([])
  })
})

describe('the rules themselves', () => {
  it.each<[(text: string) => boolean, string, boolean]>([
    [waits, 'await vi.waitFor(() => expect(x).toBe(1))', true],
    [waits, 'await expect\n  .poll(ready)\n  .toBe(1)', true],
    [waits, 'await eventually(ready)', false],
    [passesKidByChance, `keys revoke \${key.kid} --yes`, true],
    [passesKidByChance, `keys revoke --yes -- \${key.kid}`, false],
    [hasUpperBound, 'expect(performance.now() - began).toBeLessThan(3000)', true],
    [hasUpperBound, 'expect(seconds).toBeLessThanOrEqual(3)', true],
    [hasUpperBound, 'expect(answer.slowest_ms).toBeLessThan(MAX)', true],
    [hasUpperBound, 'expect(Math.max(...times)).toBeLessThan(2)', true],
    [hasUpperBound, 'expect(chunks).toBeLessThan(10)', false],
    [hasUpperBound, 'expect(start).toBeLessThanOrEqual(Date.now() / 1000)', false],
    [hasShortTimeout, "it('x', async () => {}, 60_000)", true],
    [hasShortTimeout, "it.each([1])('x', async () => {}, 90 * SECONDS)", true],
    [hasShortTimeout, 'beforeAll(async () => {}, 60_000)', true],
    [hasShortTimeout, 'test: { hookTimeout: 30_000 }', true],
    [hasShortTimeout, "it('x', async () => {}, 300_000)", false],
    [hasShortTimeout, "it('x', async () => { expect(1).toBe(1) })", false],
    [hasShortLimit, 'await listening({ stalled_ms: 200 })', true],
    [hasShortLimit, 'await listening({ stalled_ms: 60_000 })', false],
    [hasStatementTimeout, 'postgresExecutor(url)', true],
    [hasStatementTimeout, 'postgresExecutor(url, { connections: 1 })', true],
    [hasStatementTimeout, 'postgresExecutor(url, UNLIMITED)', false],
    [hasStatementTimeout, 'postgresExecutor(url, { statementTimeout: 1 })', false],
    [countsByTheRealClock, "await throttle.hit('key', 3600, NOW)\nawait quick('throttle list')", true],
    [
      countsByTheRealClock,
      "await throttle.hit('key', 3600, nextWindow(3600))\nawait quick('throttle list')",
      false,
    ],
    [replacesByChance, `const other = \`x\${factor.factor_id.slice(1)}\``, true],
    [replacesByChance, `const other = \`\${value.slice(0, -2)}AA\``, true],
    [replacesByChance, `const other = \`+\${token.slice(1)}\``, false],
    [replacesByChance, `const other = \`\${token.slice(0, -8)}AAAAAAAA\``, false],
    [readsLogAtOnce, "expect(server.logged('a')).toHaveLength(1)", true],
    [readsLogAtOnce, "await eventually(() => expect(server.logged('a')).toHaveLength(1))", false],
    [readsLogAtOnce, "expect(server.logged('a')).toEqual([])", false],
    [readsLogAtOnce, "expect(server.logged('listening')).toHaveLength(1)", false],
    [readsUnloadedPage, 'await page.evaluate(colors)', true],
    [readsUnloadedPage, 'await inPage(page, colors)', false],
    [readsUnloadedPage, 'await field.evaluate(isFocused)', false],
    [sleeps, "import { setTimeout as pause } from 'node:timers/promises'", true],
    [sleeps, 'await new Promise((wake) => setTimeout(wake, 20))', true],
    [sleeps, 'setTimeout(stop, 20)', false],
  ])('%o of %j: %s', (isFound, text, expected) => {
    expect(isFound(text)).toBe(expected)
  })
})
