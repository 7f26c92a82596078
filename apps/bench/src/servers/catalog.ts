/** The servers that can be measured, and what each needs. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { built, ROOT } from '../run/processes.js'
import type { Target } from '../target.js'
import type { WorkloadName } from '../workloads/index.js'
import { type OursOptions, oursConfig } from './ours-config.js'

export const STORAGES = ['memory', 'embedded', 'postgres', 'mix'] as const
export type Storage = (typeof STORAGES)[number]
export const RUNTIMES = ['node', 'bun'] as const
export type Runtime = (typeof RUNTIMES)[number]
export const PEERS = ['oidc-provider', 'better-auth', 'jose'] as const
export type Peer = (typeof PEERS)[number]

/** `guard` and `resource` are APIs, the others are providers. */
type Role = 'provider' | 'guard' | 'resource' | 'bare'

export interface ServerKind {
  /** Unique; as it is shown. */
  name: string
  role: Role
  /** Undefined where it keeps no records. */
  storage?: Storage
  runtime: Runtime
  peer?: Peer
  /** The program; `build` makes the rest. */
  command: readonly string[]
  /** Our configuration file is written for it. */
  ours: boolean
  /** A path that answers 200 when it is ready. */
  ready: string
  /** Where its endpoints are. */
  target(origin: string): Omit<Target, 'origin'>
  /** It can be started so that it signs access tokens with ES256, and takes DPoP proofs. */
  signs_es256?: true
  /** Workloads to leave out, beside those whose endpoints it lacks. */
  not?: readonly WorkloadName[]
}

const node = (file: string): readonly string[] => [process.execPath, built(file)]
const DISCOVERY = '/.well-known/openid-configuration'

const ourTarget = (origin: string): Omit<Target, 'origin'> => ({
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

const STORAGE_TITLES: Record<Storage, string> = {
  memory: 'memory',
  embedded: 'embedded',
  postgres: 'Postgres',
  mix: 'Postgres + Redis',
}

const ours = (storage: Storage, runtime: Runtime, command: readonly string[]): ServerKind => ({
  name: `ostiary ${STORAGE_TITLES[storage]}${runtime === 'bun' ? ' (Bun)' : ''}`,
  role: 'provider',
  storage,
  runtime,
  command,
  ours: true,
  signs_es256: true,
  ready: DISCOVERY,
  target: ourTarget,
})

const NODE_SERVER = join(ROOT, 'apps/node-server/dist/main.js')
const BUN_SERVER = join(ROOT, 'apps/bun-server/dist/main.js')
const BUN = join(ROOT, 'node_modules/.bin/bun')

const betterAuth = (storage: 'memory' | 'postgres'): ServerKind => ({
  name: `better-auth ${storage === 'postgres' ? 'Postgres' : 'memory'}`,
  role: 'provider',
  storage,
  runtime: 'node',
  peer: 'better-auth',
  ours: false,
  command: node('peers/better-auth.server.js'),
  ready: '/api/auth/ok',
  target: (origin) => ({
    paths: {
      discovery: DISCOVERY,
      jwks: '/api/auth/jwks',
      password: '/api/auth/sign-in/email',
      token: '/api/auth/oauth2/token',
      authorize: '/api/auth/oauth2/authorize',
      introspect: '/api/auth/oauth2/introspect',
      userinfo: '/api/auth/oauth2/userinfo',
      register: '/api/auth/oauth2/register',
    },
    sign_in: 'better-auth',
    resource: `${origin}/api`,
  }),
})

const PRODUCT = [process.execPath, NODE_SERVER, 'serve']
export const oursOnMemory = ours('memory', 'node', PRODUCT)

export const bareServer: ServerKind = {
  name: 'bare node:http',
  role: 'bare',
  runtime: 'node',
  ours: false,
  ready: '/sign/0',
  command: node('peers/bare.server.js'),
  target: () => ({ paths: {} }),
}

/** All servers that this checkout can start. */
export function allServers(): ServerKind[] {
  const bun = existsSync(BUN_SERVER)
    ? STORAGES.map((storage) => ours(storage, 'bun', [BUN, BUN_SERVER, 'serve']))
    : []
  return [
    oursOnMemory,
    ...(['embedded', 'postgres', 'mix'] as const).map((storage) => ours(storage, 'node', PRODUCT)),
    ...bun,
    {
      name: 'ostiary guard',
      role: 'guard',
      runtime: 'node',
      ours: false,
      ready: DISCOVERY,
      command: node('servers/ours-guard.server.js'),
      target: () => ({ paths: { protected: '/notes', token: '/oauth/token' } }),
    },
    {
      name: 'ostiary resource-server',
      role: 'resource',
      runtime: 'node',
      ours: false,
      ready: '/',
      command: node('servers/ours-resource.server.js'),
      target: () => ({ paths: { protected: '/' } }),
    },
    {
      name: 'oidc-provider memory',
      role: 'provider',
      storage: 'memory',
      runtime: 'node',
      ours: false,
      peer: 'oidc-provider',
      signs_es256: true,
      command: node('peers/oidc-provider.server.js'),
      ready: DISCOVERY,
      target: (origin) => ({
        paths: {
          discovery: DISCOVERY,
          jwks: '/jwks',
          token: '/token',
          authorize: '/auth',
          userinfo: '/me',
          introspect: '/token/introspection',
          register: '/reg',
        },
        sign_in: 'oidc-provider',
        resource: `${origin}/api`,
      }),
    },
    betterAuth('memory'),
    betterAuth('postgres'),
    {
      name: 'jose',
      role: 'resource',
      runtime: 'node',
      peer: 'jose',
      ours: false,
      ready: '/',
      command: node('peers/jose.server.js'),
      target: () => ({ paths: { protected: '/' } }),
    },
  ]
}

/** The file that our server reads. */
export const configFile = (options: Omit<OursOptions, 'port'>) => (port: number) => ({
  'ostiary.config.json': JSON.stringify(oursConfig({ port, ...options })),
})
