/** Packages of Debian that tests use. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Installs packages with apt-get, as root on Debian.
 * @param purpose What needs them, for the message.
 * @returns False where it cannot.
 */
export function installDebian(packages: string[], purpose: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !succeeds('apt-get', '--version'))
    return false
  console.error(`Installing ${packages.join(', ')} with apt-get for ${purpose} ...`)
  // Without new lists, the known ones may be sufficient.
  aptGet('update')
  return aptGet('-y', '--no-install-recommends', 'install', ...packages)
}

/**
 * Another test process may be installing too: its end is waited for. `update` itself fails at once then, so that the processes
 * take turns by a lock of their own. A program that is not ours holds apt's.
 */
const aptGet = (...args: string[]): boolean =>
  succeeds('flock', LOCK_FILE, 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args)
const LOCK_FILE = join(tmpdir(), 'ostiary-apt-get.lock')

/** Runs a program to its end, without its output. */
export function succeeds(command: string, ...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'ignore', timeout: 300_000, env }).status === 0
}

/**
 * Unpacks packages below a folder, in the versions of the backports of this Debian where they are there. It needs no root, and installs
 * nothing.
 * @throws When this is no Debian, or a package is not found.
 */
export function unpackBackports(packages: string[], folder: string): void {
  const [archive = '', release = ''] = archiveOfDebian()
  unpack({ archive, suites: [release, `${release}-backports`] }, packages, folder)
}

/** The same with the versions of a release that may be another one than this Debian's, such as `trixie`. */
export function unpackRelease(release: string, packages: string[], folder: string): void {
  const [archive = ''] = archiveOfDebian()
  unpack({ archive, suites: [release] }, packages, folder)
}

/** @param suites The last one has the versions that are taken where several have a package. */
function unpack(
  { archive, suites }: { archive: string; suites: string[] },
  packages: string[],
  folder: string,
) {
  const state = join(folder, 'apt')
  for (const path of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(state, path), { recursive: true })
  const sources = suites.map(
    (suite) => `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${archive} ${suite} main\n`,
  )
  writeFileSync(join(state, 'sources.list'), sources.join(''))
  const options = [
    `Dir::Etc::sourcelist=${state}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${state}/lists`,
    `Dir::Cache=${state}/cache`,
    `APT::Default-Release=${suites.at(-1)}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  const apt = (...args: string[]) => execFileSync('apt-get', ['-qq', ...options, ...args], { cwd: state })
  apt('update')
  apt('download', ...packages)
  for (const name of readdirSync(state).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg-deb', ['--extract', join(state, name), folder])
}

/** The address from which this machine has Debian's main packages, and the name of the release. */
function archiveOfDebian(): string[] {
  const format = '$(REPO_URI) $(RELEASE) $(COMPONENT)'
  const targets = execFileSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    encoding: 'utf8',
  })
  const [, codename] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  const main = targets.split('\n').find((line) => line.endsWith(` ${codename} main`))
  if (main === undefined) throw new Error('apt-get does not know the archive of this Debian')
  return main.split(' ')
}
