/** Compares docs/contract-coverage.md and docs/fapi2.md with the reports of the packages' tests: every rule has tests, and they passed. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The headings of the contract, in its order. */
const HEADINGS = [
  '## What the service does',
  '### Connect flow for a self-registering client',
  '### Configuration keys that shape the contract',
  '## Resources and their fields',
  '### Protected resource metadata document (RFC 9728)',
  '### Client registration request (JSON body of `POST /oauth/register`)',
  '### Client registration response (201)',
  '### Client record (attributes named in the interface)',
  '### Consent record (stored in `oidc_consents`)',
  '### Discovery document (`GET /.well-known/openid-configuration`, identical to AS metadata)',
  '### Token response',
  '### Introspection response',
  '### UserInfo claims',
  '### Authenticated principal',
  '### Access token claims and header used by validators',
  '## States and transitions',
  '### Consent',
  '### Tokens',
  '### Client',
  '## Endpoints',
  '### Realm routing of the well-known documents',
  '### Protected resource metadata',
  '### `POST /oauth/register`',
  '### `GET|POST /oauth/authorize`',
  '### `POST /oauth/authorize/consent` and `DELETE /oauth/authorize/consent`',
  '### `POST /oauth/token`',
  '### `GET|POST /oauth/userinfo`',
  '### `POST /oauth/introspect` and `POST /oauth/revoke`',
  '### `GET|POST /oauth/logout`',
  '## Authentication',
  '### Client authentication at the token, introspection and revocation endpoints',
  '### Bearer token validation: the `oidc` guard',
  '### Audience check',
  '### Other validation options for a resource server',
  '### Challenge format',
  '## Events',
  '## Errors',
  '## Limits',
  '## Versioning',
]
/** Headings that only group others, or under which nothing can be tested. */
const WITHOUT_RULES = [
  '## Resources and their fields',
  '## States and transitions',
  '## Authentication',
  '## Versioning',
]

interface Row {
  rule: string
  /** As written: `file › title`. */
  shown_by: string[]
}
interface Section {
  /** The heading with its `#` characters. */
  heading: string
  rows: Row[]
}

function parseDocument(text: string): Section[] {
  const sections: Section[] = []
  for (const line of text.split('\n')) {
    if (/^#{2,} /.test(line)) sections.push({ heading: line.trim(), rows: [] })
    if (!line.startsWith('|') || /^\| *(?:Rule|:?-+:?) *\|/.test(line)) continue
    const [rule = '', shown = ''] = cells(line)
    sections.at(-1)?.rows.push({ rule, shown_by: names(shown) })
  }
  return sections
}

/** A pipe within a cell is escaped. */
const cells = (line: string): string[] =>
  line
    .replace(/^\||\| *$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())
const names = (cell: string): string[] =>
  cell
    .split('<br>')
    .map((name) => name.trim().replace(/^`(.*)`$/, '$1'))
    .filter(Boolean)

/** The members of vitest's JSON report that are used here. */
interface Report {
  testResults: {
    name: string
    assertionResults: { title: string; ancestorTitles: string[]; status: string }[]
  }[]
}
/** The reports of the short run, which has core on Bun. */
const reportOf = (folder: string): string => (folder === 'core' ? 'report.bun.json' : 'report.json')

/** By the name of the folder in packages/, apps/ or test/; null where nothing has been tested yet. */
type Reports = Map<string, Report | null>

function readReports(root: string): Reports {
  const folders = ['packages', 'apps', 'test']
    .map((group) => join(root, group))
    .filter((group) => existsSync(group))
  const found = folders.flatMap((group) =>
    readdirSync(group).map((name): [string, Report | null] => {
      const path = join(group, name, 'node_modules/.vitest', reportOf(name))
      return [name, existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null]
    }),
  )
  return new Map(found)
}

/** What is wrong with the name of a test; null when its tests have run and passed. */
function faultOf(name: string, reports: Reports): string | null {
  const [file = '', ...path] = name.split(' › ')
  const title = path.pop()
  if (title === undefined || !file.includes('/')) return 'is not of the form `file › title`'
  const [folder = ''] = file.split('/')
  const report = reports.get(folder)
  if (report === undefined) return 'names a file outside of packages/, apps/ and test/'
  if (report === null) return `cannot be checked: ${folder} left no report. Run \`pnpm test\` first`
  const ran = report.testResults.find((result) => result.name.replaceAll('\\', '/').endsWith(`/${file}`))
  if (!ran) return `cannot be checked: ${file} is not in the report of ${folder}. Run \`pnpm test\` first`

  const below = ran.assertionResults
    .map((test) => ({ ...test, ancestorTitles: test.ancestorTitles.map(withoutRouting).filter(Boolean) }))
    .filter(({ ancestorTitles }) => standsIn(ancestorTitles, path))
  const exact = below.filter((test) => test.title === title)
  const start = title.endsWith('*') ? title.slice(0, -1) : null
  const meant =
    exact.length > 0 || start === null ? exact : below.filter((test) => test.title.startsWith(start))
  if (meant.length === 0) return 'does not exist'
  const places = new Set(exact.map(({ ancestorTitles }) => ancestorTitles.join(' › ')))
  if (places.size > 1) return `is ambiguous: put its describe before it (${[...places].join(' | ')})`
  const bad = meant.find(({ status }) => status !== 'passed')
  if (!bad) return null
  return bad.status === 'failed' ? `failed (${bad.title})` : `did not run (${bad.title}: ${bad.status})`
}

/** Tests that run for both kinds of routing have one name. */
const withoutRouting = (ancestor: string): string =>
  ancestor.replace(/[ ,(]*realms by (?:single|path)\)?$/, '')
const standsIn = (ancestors: string[], path: string[]): boolean =>
  path.length === 0 ||
  ancestors.some((_, start) => path.every((name, offset) => ancestors[start + offset] === name))

function headingFaults(sections: Section[], expected: readonly string[]): string[] {
  const headings = sections.map(({ heading }) => heading)
  const faults = [
    ...expected.filter((heading) => !headings.includes(heading)).map((heading) => `is missing: ${heading}`),
    ...headings
      .filter((heading, index) => !expected.includes(heading) || headings.indexOf(heading) < index)
      .map((heading) => `is not in the contract, or is repeated: ${heading}`),
  ]
  const misplaced = headings.findIndex((heading, index) => heading !== expected[index])
  if (faults.length === 0 && misplaced >= 0) faults.push(`is out of order: ${headings[misplaced]}`)
  return faults.map((fault) => `A heading ${fault}`)
}

function ruleFaults({ heading, rows }: Section, reports: Reports): string[] {
  if (rows.length === 0 && !WITHOUT_RULES.includes(heading)) return [`${heading}: no rule is listed`]
  return rows.flatMap(({ rule, shown_by }) => {
    if (shown_by.length === 0 || shown_by.some((name) => name.toLowerCase() === 'missing'))
      return [`${heading}: no test shows the rule "${rule}"`]
    return shown_by.flatMap((name) => {
      const fault = faultOf(name, reports)
      return fault === null ? [] : [`${heading}: the rule "${rule}" is not shown: \`${name}\` ${fault}`]
    })
  })
}

describe('docs/contract-coverage.md', () => {
  const sections = parseDocument(readFileSync(join(ROOT, 'docs/contract-coverage.md'), 'utf8'))
  const reports = readReports(ROOT)

  it("has the contract's headings, in its order", () => {
    expect(headingFaults(sections, HEADINGS)).toEqual([])
  })

  it.each(sections)('$heading: every rule is shown by tests that ran and passed', (section) => {
    const faults = ruleFaults(section, reports)
    if (faults.length > 0) expect.fail(faults.join('\n'))
  })
})

describe('docs/fapi2.md', () => {
  const sections = parseDocument(readFileSync(join(ROOT, 'docs/fapi2.md'), 'utf8'))
  const reports = readReports(ROOT)

  it('has the clauses of the specification for servers, in its order', () => {
    const clauses = sections.map(({ heading }) => /^## (5\.[\d.]+) /.exec(heading)?.[1])
    expect(clauses).toEqual(['5.3.2.1', '5.3.2.2', '5.3.4', '5.4'])
  })

  it.each(sections)('$heading: every requirement is shown by tests that ran and passed', (section) => {
    const faults = ruleFaults(section, reports)
    if (faults.length > 0) expect.fail(faults.join('\n'))
  })
})

describe('the check itself', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  const HEADING = '## Limits'
  const document = (...rows: string[]) =>
    parseDocument(['# Title', '', HEADING, '', '| Rule | Shown by |', '| --- | --- |', ...rows].join('\n'))

  /** A repository in which the package `core` has been tested, and the app `server` has not. */
  function tested(): Reports {
    const root = mkdtempSync(join(tmpdir(), 'contract-coverage-'))
    folders.push(root)
    const test = (path: string[], title: string, status = 'passed') => ({
      ancestorTitles: path,
      title,
      status,
    })
    const report: Report = {
      testResults: [
        {
          name: '/anywhere/packages/core/test/a.test.ts',
          assertionResults: [
            test(['realms by single', 'limits'], 'are kept'),
            test(['realms by path', 'limits'], 'are kept'),
            test(['limits (realms by single)'], 'one of [a|b]'),
            test(['limits (realms by path)'], 'one of [a|b]'),
            test(['limits'], 'with *'),
            test(['limits'], 'with one', 'failed'),
            test(['others', 'inner'], 'hold: 1'),
            test(['others', 'inner'], 'hold: 2'),
            test(['others'], 'are kept'),
            test(['slow'], 'is over', 'skipped'),
            test(['half', 'realms by single'], 'done'),
            test(['half', 'realms by path'], 'done', 'failed'),
          ],
        },
      ],
    }
    const path = join(root, 'packages/core/node_modules/.vitest', reportOf('core'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(report))
    mkdirSync(join(root, 'apps/server'), { recursive: true })
    return readReports(root)
  }
  const faults = (shown: string) => {
    const [section] = document(`| the rule | ${shown} |`)
    return section ? ruleFaults(section, tested()) : ['no section']
  }

  it.each([
    '`core/test/a.test.ts › limits › are kept`',
    'core/test/a.test.ts › limits › are kept',
    '`core/test/a.test.ts › one of [a\\|b]`',
    '`core/test/a.test.ts › with *`',
    '`core/test/a.test.ts › hold: 1`<br>`core/test/a.test.ts › inner › hold: 2`',
    '`core/test/a.test.ts › others › inner › hold: 1`',
    '`core/test/a.test.ts › others › *`',
    '`core/test/a.test.ts › hold: *`',
  ])('accepts %s', (shown) => {
    expect(faults(shown)).toEqual([])
  })

  const prefix = `${HEADING}: the rule "the rule" is not shown: `
  it.each([
    ['a test that does not exist', 'core/test/a.test.ts › is gone', 'does not exist'],
    ['a title with another suffix', 'core/test/a.test.ts › others › hold: 1 and more', 'does not exist'],
    ['a test of another describe', 'core/test/a.test.ts › slow › hold: 1', 'does not exist'],
    ['a group without tests', 'core/test/a.test.ts › nothing › *', 'does not exist'],
    ['a test that failed', 'core/test/a.test.ts › with one', 'failed (with one)'],
    ['a test that failed in one of two realms', 'core/test/a.test.ts › done', 'failed (done)'],
    ['a group with one that failed', 'core/test/a.test.ts › limits › *', 'failed (with one)'],
    ['a test that did not run', 'core/test/a.test.ts › is over', 'did not run (is over: skipped)'],
    [
      'a title that two describes have',
      'core/test/a.test.ts › are kept',
      'is ambiguous: put its describe before it (limits | others)',
    ],
    [
      'a file that did not run',
      'core/test/b.test.ts › x',
      'cannot be checked: core/test/b.test.ts is not in the report of core. Run `pnpm test` first',
    ],
    [
      'an absent report',
      'server/test/a.test.ts › x',
      'cannot be checked: server left no report. Run `pnpm test` first',
    ],
    [
      'a file of an unknown package',
      'other/test/a.test.ts › x',
      'names a file outside of packages/, apps/ and test/',
    ],
    ['text that is not the name of a test', 'later', 'is not of the form `file › title`'],
  ])('refuses %s', (_, name, fault) => {
    expect(faults(`\`${name}\``)).toEqual([`${prefix}\`${name}\` ${fault}`])
  })

  it.each(['missing', 'Missing', '`missing`', ''])('refuses a rule that is shown by "%s"', (shown) => {
    expect(faults(shown)).toEqual([`${HEADING}: no test shows the rule "the rule"`])
  })

  it('refuses a section without rules, except the sections that have none', () => {
    const [section] = document()
    expect(section && ruleFaults(section, tested())).toEqual([`${HEADING}: no rule is listed`])
    expect(ruleFaults({ heading: '## Versioning', rows: [] }, tested())).toEqual([])
  })

  it('refuses headings that are missing, unknown, repeated, or out of order', () => {
    const of = (...headings: string[]) => headings.map((heading) => ({ heading, rows: [] }))
    const one = '## One'
    const two = '### Two'
    expect(headingFaults(of(one, two), [one, two])).toEqual([])
    expect(headingFaults(of(one), [one, two])).toEqual(['A heading is missing: ### Two'])
    for (const extra of ['## Three', one])
      expect(headingFaults(of(one, two, extra), [one, two])).toEqual([
        `A heading is not in the contract, or is repeated: ${extra}`,
      ])
    expect(headingFaults(of(two, one), [one, two])).toEqual(['A heading is out of order: ### Two'])
  })

  it('reads the rows under their headings, with any other text between them', () => {
    const text =
      '## One\nText.\n\n| Rule | Shown by |\n|---|---|\n| a \\| b | `x › y`<br>`z › "*"` |\n\n### Two\n'
    expect(parseDocument(text)).toEqual([
      { heading: '## One', rows: [{ rule: 'a | b', shown_by: ['x › y', 'z › "*"'] }] },
      { heading: '### Two', rows: [] },
    ])
  })
})
