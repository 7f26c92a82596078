/**
 * Whether a server is built from the files as they are now. A hash in its cache says so: of the sources, of what is installed (the
 * lockfile), of what builds it, and of what was built, since another build may have written there meanwhile.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const CLONE = fileURLToPath(new URL('..', import.meta.url))

/** What a start builds: programs, and the embedded database. `pnpm build` writes declarations beside them. */
const BUILT = /\.(?:js|br)$/

/** What was built from a hash of the files. It is gone with what is installed. */
const stampOf = (server, root) => join(root, server, 'node_modules/.cache/built-from')

/**
 * @param {string} server The folder of the server, as `apps/node-server`.
 * @param {string} made What was made beside the server, as `noteBuild` was told.
 */
export function isBuilt(server, made, root = CLONE) {
  const stamp = stampOf(server, root)
  const isInstalled = existsSync(join(root, 'node_modules/.modules.yaml'))
  return isInstalled && existsSync(stamp) && readFileSync(stamp, 'utf8') === `${hashOf(server, root)} ${made}`
}

/** To be called after a build. @param {string} server @param {string} made */
export function noteBuild(server, made, root = CLONE) {
  const stamp = stampOf(server, root)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, `${hashOf(server, root)} ${made}`)
}

function hashOf(server, root) {
  const hash = createHash('sha256').update(process.version)
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  const folders = [...packages, server]
  const manifests = [...folders.map((folder) => `${folder}/package.json`), 'package.json', 'pnpm-lock.yaml']
  const sources = ['scripts', ...folders.map((folder) => `${folder}/src`)].flatMap((folder) =>
    filesIn(folder, root),
  )
  const built = folders
    .flatMap((folder) => filesIn(`${folder}/dist`, root))
    .filter((file) => BUILT.test(file))
  for (const file of [...manifests, ...sources, ...built]) {
    const path = join(root, file)
    if (existsSync(path)) hash.update(`${file}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('base64url')
}

/** Their paths below the root, sorted. */
function filesIn(folder, root) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort()
}
