/** What a release has put into the registry, and what it needs to get there. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sh, userOf } from '@ostiary/test-kit/commands'
import { expect, inject, it } from 'vitest'
import { type Manifest, ROOT, WORKFLOW } from './release.ts'

interface Packument {
  'dist-tags': Record<string, string>
  /** Of the newest version. */
  readme?: string
  versions: Record<string, Stored>
}
interface Stored extends Manifest {
  readme?: string
  repository: { url: string; directory: string }
  dependencies?: Record<string, string>
}

const ADDRESS = `${WORKFLOW.GITHUB_SERVER_URL}/${WORKFLOW.GITHUB_REPOSITORY}`
const { registry, copy, names, version } = inject('published')

it('publishes every package of the repository, and nothing private', () => {
  expect(names.toSorted()).toEqual([
    ...'access-rules account-deletion addresses admin admin-client admin-commands audit audit-sinks console console-activity console-clients console-settings console-setup core email-codes email-sign-in explain host identity messages password-hashes password-rules personal-data realm-operations realms recovery resource-server server sign-up simulation storage-conformance storage-pglite storage-postgres storage-redis terms totp upstream webauthn'
      .split(' ')
      .map((name) => `@ostiary/${name}`),
    'create-ostiary',
  ])
})

it('sets the version that the changesets ask for', () => {
  const folder = join(ROOT, '.changeset')
  const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const { version: before } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'))
  const [major, minor, patch] = before.split('.').map(Number)
  const asked = (level: string) => text.some((one) => new RegExp(`^['"].+['"]: ${level}$`, 'm').test(one))
  const next = [
    [asked('major'), `${major + 1}.0.0`],
    [asked('minor'), `${major}.${minor + 1}.0`],
    [asked('patch'), `${major}.${minor}.${patch + 1}`],
    [true, before],
  ].find(([applies]) => applies)
  expect(version).toBe(next?.[1])
})

it.each(names)(
  '%s: the newest version, with its address, and the same version of the others',
  async (name) => {
    const response = await fetch(`${registry}/${name.replace('/', '%2f')}`)
    const { versions, readme, ...rest } = (await response.json()) as Packument
    const own = versions[version]
    if (own === undefined) throw new Error(`${name} has no version ${version}`)
    const stored = { ...rest, ...own }
    expect(stored).toMatchObject({
      version,
      'dist-tags': { latest: version },
      homepage: expect.stringContaining(ADDRESS),
      bugs: { url: `${ADDRESS}/issues` },
      repository: { url: `git+${ADDRESS}.git` },
    })
    expect(stored.readme ?? readme).toContain(`# ${name}\n`)
    expect(stored.readme ?? readme).not.toContain('Not on npm yet')
    const { directory } = stored.repository
    expect(JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8')).name).toBe(name)
    const ours = Object.entries(stored.dependencies ?? {}).filter(([other]) => names.includes(other))
    expect(ours.map(([, range]) => range)).toEqual(ours.map(() => `^${version}`))
  },
)

it('asks for provenance with the variables of the workflow: outside of GitHub, pnpm then publishes nothing', async () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')
  const variables = [...workflow.matchAll(/^ {10}(\w+): "(\w+)"$/gm)].map(([, name, value]) => [name, value])
  const here = { cwd: join(copy, 'packages/core'), env: userOf(join(copy, '.home')) }
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
  const publish = ['npx', '-y', packageManager, 'publish', '--no-git-checks', '--force']
  const asks = { ...here, env: { ...here.env, ...Object.fromEntries(variables) } }
  await expect(sh(asks, publish)).rejects.toThrow('ERR_PNPM_PROVENANCE_UNSUPPORTED_PROVIDER')
})
