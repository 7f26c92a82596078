/** The templates, and what a project of each needs from npm. */

/** What a project begins with. */
export type TemplateName = 'server' | 'hono' | 'express' | 'next'

interface Template {
  /** For the help. */
  description: string
  /** Folders below `templates`, whose files are copied in this order. */
  folders: readonly string[]
  /** `<port>` is the port of the server. */
  scripts: Readonly<Record<string, string>>
  /** The command that starts the project the first time. */
  start: string
  /** The file where the port stands. */
  port_in: '.env' | 'package.json'
  /** The package of Ostiary; it has the version of this package. */
  ours: string
  dependencies?: Readonly<Record<string, string>>
  devDependencies?: Readonly<Record<string, string>>
  /** False for a package whose install script is not needed: npm 11 asks otherwise. */
  allowScripts?: Readonly<Record<string, false>>
}

const TYPESCRIPT = { '@types/node': '^20.19.0', tsx: '^4.20.0', typescript: '^5.9.0 || ^6.0.0 || ^7.0.0' }
const SERVER = 'node --env-file=.env node_modules/@ostiary/server/dist/main.js'
const EMBEDDED = {
  scripts: { start: 'node --env-file=.env --import tsx server.ts', typecheck: 'tsc --noEmit' },
  start: 'npm start',
  port_in: '.env',
  ours: '@ostiary/core',
  // Of tsx.
  allowScripts: { esbuild: false },
} as const

/** The templates by name. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  server: {
    description: 'a server with a configuration file, accounts and pages',
    folders: ['common', 'server'],
    scripts: {
      start: `${SERVER} serve`,
      doctor: `${SERVER} doctor`,
      ostiary: SERVER,
    },
    start: 'npm start',
    port_in: '.env',
    ours: '@ostiary/server',
  },
  hono: {
    ...EMBEDDED,
    description: 'the provider in an application with Hono, with accounts and pages of its own',
    folders: ['common', 'embedded', 'hono'],
    dependencies: { '@hono/node-server': '^2.0.0', hono: '^4.10.0' },
    devDependencies: TYPESCRIPT,
  },
  express: {
    ...EMBEDDED,
    description: 'the same with Express',
    folders: ['common', 'embedded', 'express'],
    dependencies: { '@hono/node-server': '^2.0.0', express: '^5.1.0', hono: '^4.10.0' },
    devDependencies: { ...TYPESCRIPT, '@types/express': '^5.0.0' },
  },
  next: {
    description: 'the same in route handlers of Next.js',
    folders: ['common', 'embedded', 'next'],
    scripts: {
      dev: 'next dev --hostname 127.0.0.1 --port <port>',
      build: 'next build',
      start: 'next start --hostname 127.0.0.1 --port <port>',
    },
    start: 'npm run dev',
    // Next.js listens before it reads .env.
    port_in: 'package.json',
    ours: '@ostiary/core',
    dependencies: { hono: '^4.10.0', next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
    // Next.js uses the API of TypeScript, which version 7 does not have.
    devDependencies: { '@types/node': '^20.19.0', '@types/react': '^19.0.0', typescript: '^5.9.0 || ^6.0.0' },
  },
}
