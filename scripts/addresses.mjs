/**
 * Writes the address of the repository into the package.json of each published package, before a release. npm compares it with the
 * repository whose workflow made the package (provenance). The workflow knows it; a clone or a fork has another one.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, exit } from 'node:process'

const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = env
if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) {
  console.error(
    'The workflow makes the release: it sets GITHUB_SERVER_URL and GITHUB_REPOSITORY (owner/name)',
  )
  exit(1)
}
const address = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`

for (const group of ['packages', 'apps'])
  for (const name of readdirSync(group)) {
    const directory = `${group}/${name}`
    const file = join(directory, 'package.json')
    if (!existsSync(file)) continue
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    if (manifest.private) continue
    const fields = {
      homepage: `${address}/tree/main/${directory}#readme`,
      bugs: { url: `${address}/issues` },
      repository: { type: 'git', url: `git+${address}.git`, directory },
    }
    writeFileSync(file, `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`)
  }
