/** The servers of a build of ours: of this checkout, or of another one. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run/processes.js'
import { nodeProgram, RUNTIMES, type Runtime, runtimeTitle } from '../run/runtimes.js'
import type { Target } from '../target.js'
import { DISCOVERY, type ServerKind, STORAGES, type Storage } from './server-kind.js'

const NODE_SERVER = 'apps/node-server/dist/main.js'
const BUN_SERVER = 'apps/bun-server/dist/main.js'
const GUARD = 'apps/bench/dist/servers/ours-guard.server.js'
const RESOURCE_SERVER = 'apps/bench/dist/servers/ours-resource.server.js'
const BUN = join(ROOT, 'node_modules/.bin/bun')

const STORAGE_TITLES: Record<Storage, string> = {
  memory: 'memory',
  embedded: 'embedded',
  postgres: 'Postgres',
  mix: 'Postgres + Redis',
}

const target = (origin: string): Omit<Target, 'origin'> => ({
  paths: {
    discovery: DISCOVERY,
    jwks: '/.well-known/jwks.json',
    password: '/login',
    token: '/oauth/token',
    authorize: '/oauth/authorize',
    introspect: '/oauth/introspect',
    userinfo: '/oauth/userinfo',
    register: '/oauth/register',
  },
  sign_in: 'ostiary',
  resource: `${origin}/api`,
})

function provider(root: string, storage: Storage, runtime: Runtime): ServerKind {
  const command =
    runtime === 'bun'
      ? [BUN, join(root, BUN_SERVER), 'serve']
      : [nodeProgram(runtime), join(root, NODE_SERVER), 'serve']
  return {
    name: `ostiary ${STORAGE_TITLES[storage]}${runtimeTitle(runtime)}`,
    role: 'provider',
    storage,
    runtime,
    command,
    ours: true,
    signs_es256: true,
    ready: DISCOVERY,
    target,
  }
}

/** The provider on memory and Node, of this checkout. */
export const oursOnMemory = provider(ROOT, 'memory', 'node')

/** The name of a second server like `oursOnMemory`: the difference of the two is the noise. */
export const TWIN = `${oursOnMemory.name}, again`

/** The servers that are built in this root folder of a checkout. */
export function ourServers(root: string): ServerKind[] {
  const runtimes = existsSync(join(root, BUN_SERVER))
    ? RUNTIMES
    : RUNTIMES.filter((runtime) => runtime !== 'bun')
  return [
    ...runtimes.flatMap((runtime) => STORAGES.map((storage) => provider(root, storage, runtime))),
    {
      name: 'ostiary guard',
      role: 'guard',
      runtime: 'node',
      ours: false,
      ready: DISCOVERY,
      command: [process.execPath, join(root, GUARD)],
      target: () => ({ paths: { protected: '/notes', token: '/oauth/token' } }),
    },
    {
      name: 'ostiary resource-server',
      role: 'resource',
      runtime: 'node',
      ours: false,
      ready: '/',
      command: [process.execPath, join(root, RESOURCE_SERVER)],
      target: () => ({ paths: { protected: '/' } }),
    },
  ]
}
