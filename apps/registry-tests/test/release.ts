/** A release in a copy of the repository: the commands of .github/workflows/release.yml, for the registry of the tests. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sh, userOf } from '@ostiary/test-kit/commands'

export const ROOT: string = fileURLToPath(new URL('../../..', import.meta.url))

/** Groups of packages, as in pnpm-workspace.yaml. */
const GROUPS = ['packages', 'apps', 'examples', 'test']
/** What `changeset version` and `pnpm publish` read beside the packages. */
const SHARED = [
  '.changeset',
  '.gitignore',
  'LICENSE',
  'README.md',
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'scripts',
]

/** Variables of the workflow that makes the release. */
export const WORKFLOW = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'example/ostiary' }

export interface Manifest {
  name: string
  version: string
  private?: boolean
  packageManager: string
  scripts: Record<string, string>
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Sets the versions as the next release does. @returns The names of the published packages, and their one version. */
export async function release(copy: string, npmrc: string): Promise<{ names: string[]; version: string }> {
  const packages = copyRepository(copy)
  const env: NodeJS.ProcessEnv = { ...userOf(join(copy, '.home')), ...WORKFLOW }
  mkdirSync(env.HOME ?? '')
  writeFileSync(join(env.HOME ?? '', '.npmrc'), npmrc)
  const here = { cwd: copy, env }
  // changeset asks Git where the changes began.
  const git = [
    'git',
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
  ]
  await sh(here, ['git', 'init', '-q', '-b', 'main'])
  await sh(here, ['git', 'add', '.changeset', 'package.json'])
  await sh(here, [...git, 'commit', '-q', '-m', 'before'])
  const { packageManager, scripts } = manifestOf(ROOT)
  const pnpm = (command: string) => ['npx', '-y', packageManager, 'exec', ...command.split(' ')]
  // The scripts of the workflow. The packages are built already, nothing is installed, and the copy gets no tags.
  const commandsOf = (script = '') =>
    script.split(' && ').filter((each) => !/^pnpm (?:install|build)\b/.test(each))
  for (const command of commandsOf(scripts.version)) await sh(here, pnpm(command))
  const published = packages.map((folder) => manifestOf(join(copy, folder))).filter((each) => !each.private)
  for (const command of commandsOf(scripts.release))
    await sh(here, pnpm(command.replace('changeset publish', 'changeset publish --no-git-tag')))
  const versions = new Set(published.map(({ version }) => version))
  if (versions.size !== 1) throw new Error(`The packages have several versions: ${[...versions]}`)
  return { names: published.map(({ name }) => name), version: [...versions].join() }
}

/** In a package: what is installed, and folders of tests that run now, whose files may vanish. */
const isLeftOut = (path: string): boolean => /^(?:node_modules$|\.)/.test(basename(path))

/** The published packages as they are built, of the others the manifests. @returns Their folders. */
function copyRepository(copy: string): string[] {
  const folders = GROUPS.flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(group, name)))
  const packages = folders.filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
  mkdirSync(join(copy, 'docs'), { recursive: true })
  for (const path of SHARED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  for (const folder of packages) {
    const [from, to] = [join(ROOT, folder), join(copy, folder)]
    mkdirSync(to, { recursive: true })
    if (manifestOf(from).private) cpSync(join(from, 'package.json'), join(to, 'package.json'))
    else cpSync(from, to, { recursive: true, filter: (path) => !(dirname(path) === from && isLeftOut(path)) })
  }
  for (const name of ['@changesets', '.bin']) {
    const link = join(copy, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction')
  }
  return packages
}
