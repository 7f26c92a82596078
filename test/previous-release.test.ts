/**
 * From the first release on, the servers of the release before run on the schema of the next one: during an upgrade they
 * do. This test fails as soon as there is a release before, and no suite that runs it.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

/** Its flows run against the server `@ostiary/server-before`, on a database that this version has migrated. */
const SUITE = 'apps/server-tests/test/release-before.test.ts'
/** The dependency of apps/server-tests: `npm:@ostiary/server@<version>`. */
const DEPENDENCY = '@ostiary/server-before'

interface Repository {
  changelog: string
  /** Of the packages; 0.0.0 before the first release. */
  version: string
  /** True when the next release has changes already. */
  has_changesets: boolean
  dependencies: Readonly<Record<string, string>>
  has_suite: boolean
}

/** The newest release that is not this version itself; null when there is none. */
function releaseBefore({ changelog, version, has_changesets }: Repository): string | null {
  const listed = [...changelog.matchAll(/^## v?(\d+\.\d+\.\d+\S*)/gm)].map(([, release = '']) => release)
  const releases = version === '0.0.0' ? listed : [...new Set([version, ...listed])]
  // With changesets, the version of the packages is the last release.
  return releases.find((release) => has_changesets || release !== version) ?? null
}

function fault(repository: Repository): string | null {
  const release = releaseBefore(repository)
  if (release === null) return null
  if (!repository.has_suite)
    return `${release} is released: write ${SUITE}, which starts its server, migrates the database with this version, and runs every flow against the server that is running`
  const tested = repository.dependencies[DEPENDENCY]
  if (tested !== `npm:@ostiary/server@${release}`)
    return `${SUITE} has to run the release before: set "${DEPENDENCY}" to "npm:@ostiary/server@${release}" in apps/server-tests/package.json`
  return null
}

const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

it('the flows of the release before run on the schema of this version', () => {
  const changesets = readdirSync(join(ROOT, '.changeset'))
  const { devDependencies } = json('apps/server-tests/package.json')
  const repository: Repository = {
    changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
    version: json('packages/storage-postgres/package.json').version,
    has_changesets: changesets.some((file) => file.endsWith('.md') && file !== 'README.md'),
    dependencies: devDependencies,
    has_suite: existsSync(join(ROOT, SUITE)),
  }
  expect(fault(repository)).toBeNull()
})

const UNRELEASED: Repository = {
  changelog: '## Unreleased: the first version\n',
  version: '0.0.0',
  has_changesets: true,
  dependencies: {},
  has_suite: false,
}
const FIRST = { ...UNRELEASED, version: '0.1.0', has_changesets: false, changelog: '## 0.1.0\n' }
const AFTER_FIRST = { ...FIRST, has_changesets: true }
const SECOND = { ...FIRST, version: '0.2.0', changelog: '## 0.2.0\n\n## 0.1.0\n' }
const suite = (version: string) => ({
  has_suite: true,
  dependencies: { [DEPENDENCY]: `npm:@ostiary/server@${version}` },
})

it.each([
  ['nothing is released', UNRELEASED, null],
  ['the commit of the first release', FIRST, null],
  ['the first change after it', AFTER_FIRST, '0.1.0 is released: write'],
  ['a version without a changelog', { ...AFTER_FIRST, changelog: '' }, '0.1.0 is released: write'],
  ['with the suite', { ...AFTER_FIRST, ...suite('0.1.0') }, null],
  ['the second release', SECOND, '0.1.0 is released: write'],
  ['the second release with the suite', { ...SECOND, ...suite('0.1.0') }, null],
  ['a suite of an older release', { ...SECOND, has_changesets: true, ...suite('0.1.0') }, 'server@0.2.0'],
])('%s', (_, repository, expected) => {
  if (expected === null) expect(fault(repository)).toBeNull()
  else expect(fault(repository)).toContain(expected)
})
