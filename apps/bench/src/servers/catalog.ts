/** The servers that can be measured, and what each needs. */

import { built, ROOT } from '../run/processes.js'
import { ourServers } from './ours.js'
import { type OursOptions, oursConfig } from './ours-config.js'
import { DISCOVERY, type ServerKind } from './server-kind.js'

const node = (file: string): readonly string[] => [process.execPath, built(file)]

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
  return [
    ...ourServers(ROOT),
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
