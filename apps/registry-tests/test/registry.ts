/** A registry on this machine. What is not published in it comes from the registry that npm is configured with. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Place, type Started, sh, started } from '@ostiary/test-kit/commands'
import { freePort } from '@ostiary/test-kit/ports'

export interface Registry extends Started {
  url: string
}

const RESOLVE = createRequire(import.meta.url)
const PROGRAM = join(dirname(RESOLVE.resolve('verdaccio/package.json')), 'bin/verdaccio')

/** @param folder Of the registry: its packages and its users. */
export async function startRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const here: Place = { cwd: folder, env: process.env }
  const uplink = (await sh(here, ['npm', 'config', 'get', 'registry'])).trim()
  const config = {
    storage: join(folder, 'packages'),
    auth: { htpasswd: { file: join(folder, 'users') } },
    // A user's install asks for hundreds of packages at once.
    uplinks: { npm: { url: uplink, max_fails: 1000, timeout: '60s', maxage: '60m' } },
    packages: {
      ...Object.fromEntries(
        ['@ostiary/*', 'create-ostiary'].map((name) => [name, { access: '$all', publish: '$authenticated' }]),
      ),
      '**': { access: '$all', proxy: 'npm' },
    },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'json', level: 'warn' },
    web: { enable: false },
  }
  // YAML, of which JSON is a part.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config))
  const command = [process.execPath, PROGRAM, '--config', join(folder, 'config.yaml')]
  const registry = await started(here, [...command, '--listen', `127.0.0.1:${port}`], `${url}/-/ping`)
  return { ...registry, url }
}

/** Makes a user. @returns The lines of `.npmrc` with which npm publishes as this user. */
export async function publisher({ url }: Registry): Promise<string> {
  const user = { name: 'publisher', password: 'of-the-registry-on-this-machine' }
  const response = await fetch(`${url}/-/user/org.couchdb.user:publisher`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  const { token } = (await response.json()) as { token: string }
  return `registry=${url}/\n${url.replace('http:', '')}/:_authToken=${token}\n`
}
