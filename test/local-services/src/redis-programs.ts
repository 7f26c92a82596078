/** Finds `redis-server` on PATH, or unpacks Debian's package into a cache folder. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { variable } from './machine.js'

export interface Program {
  file: string
  source: string
  env: NodeJS.ProcessEnv
}

const PACKAGES = ['redis-server', 'redis-tools']
/** Libraries that redis-server may need. A Debian release may lack some of them, so a failed download is ignored. */
const LIBRARIES = [
  'libjemalloc2',
  'liblzf1',
  'liblua5.1-0',
  'lua-bitop',
  'lua-cjson',
  'libatomic1',
  'libssl3',
  'libsystemd0',
]

export function redisProgram(): Program | null {
  return programOnPath() ?? cachedProgram() ?? downloadedProgram()
}

export function succeeds(file: string, args: string[], env: NodeJS.ProcessEnv = process.env): boolean {
  return spawnSync(file, args, { stdio: 'ignore', timeout: 20_000, env }).status === 0
}

function programOnPath(): Program | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const name of ['redis-server', 'valkey-server']) {
    const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (file && succeeds(file, ['--version'])) return { file, source: `${name} on PATH`, env: process.env }
  }
  return null
}

function cacheFolder(): string {
  const home = homedir()
  const caches = variable('XDG_CACHE_HOME') ?? (existsSync(home) ? join(home, '.cache') : tmpdir())
  return join(caches, 'ostiary-local-services', `redis-${process.arch}`)
}

function cachedProgram(): Program | null {
  const cache = cacheFolder()
  const file = join(cache, 'usr/bin/redis-server')
  if (!existsSync(file)) return null
  const libraries = join(cache, 'usr/lib')
  const folders = readdirSync(libraries).filter((name) => name.endsWith('-gnu'))
  const LD_LIBRARY_PATH = folders.map((name) => join(libraries, name)).join(':')
  const env = { ...process.env, LD_LIBRARY_PATH }
  return succeeds(file, ['--version'], env) ? { file, source: 'Debian package, cached', env } : null
}

/** Downloads and unpacks the packages. Needs no root, and installs nothing. */
function downloadedProgram(): Program | null {
  if (!succeeds('apt-get', ['--version']) || !succeeds('dpkg-deb', ['--version'])) return null
  const cache = cacheFolder()
  mkdirSync(dirname(cache), { recursive: true })
  const work = mkdtempSync(join(dirname(cache), 'fetch-'))
  try {
    if (!download(work)) return null
    const debs = join(work, 'debs')
    for (const deb of readdirSync(debs)) {
      if (!succeeds('dpkg-deb', ['-x', join(debs, deb), join(work, 'root')])) return null
    }
    rmSync(cache, { recursive: true, force: true })
    renameSync(join(work, 'root'), cache)
  } catch (error) {
    // Another process may have filled the cache first, which makes the rename fail.
    if (cachedProgram() === null) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return cachedProgram()
}

function download(work: string): boolean {
  for (const folder of ['lists/partial', 'archives/partial', 'debs', 'root']) {
    mkdirSync(join(work, folder), { recursive: true })
  }
  const settings = [
    `Dir::State=${work}`,
    `Dir::State::lists=${work}/lists`,
    `Dir::Cache=${work}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting])
  const run = (args: string[], stderr: 'inherit' | 'ignore') =>
    spawnSync('apt-get', [...settings, '-qq', ...args], {
      cwd: join(work, 'debs'),
      stdio: ['ignore', 'ignore', stderr],
      timeout: 300_000,
    }).status === 0
  const apt = (...args: string[]) => run(args, 'ignore')
  if (!run(['update'], 'inherit')) return false
  if (apt('download', ...PACKAGES, ...LIBRARIES)) return true
  for (const library of LIBRARIES) apt('download', library)
  return apt('download', ...PACKAGES)
}
