/** The templates, and what a project of each needs from npm. */

/** What a project begins with. */
export type TemplateName = 'server' | 'hono' | 'express'

interface Template {
  /** For the help. */
  description: string
  /** Folders below `templates`, whose files are copied in this order. */
  folders: readonly string[]
  scripts: Readonly<Record<string, string>>
  /** Packages of Ostiary; all of them have the version of this package. */
  ours: readonly string[]
  dependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}

const TYPESCRIPT = { '@types/node': '^20.19.0', tsx: '^4.20.0', typescript: '^5.9.0 || ^6.0.0 || ^7.0.0' }
const EMBEDDED = {
  scripts: { start: 'node --env-file=.env --import tsx server.ts', typecheck: 'tsc --noEmit' },
  ours: ['@ostiary/core'],
}

/** The templates by name. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  server: {
    description: 'a server with a configuration file, accounts and pages',
    folders: ['common', 'server'],
    scripts: {
      start: 'node --env-file=.env node_modules/@ostiary/server/dist/main.js serve',
      doctor: 'node --env-file=.env node_modules/@ostiary/server/dist/main.js doctor',
    },
    ours: ['@ostiary/server'],
    dependencies: {},
    devDependencies: {},
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
}
