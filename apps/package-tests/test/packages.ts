/** The published packages, with their size limits and dependencies. */

import { join } from 'node:path/posix'

export interface PublishedPackage {
  /** `packages/<name>` when absent. */
  folder?: string
  /** The command of a program, which has no exports. */
  program?: string
  /** Bytes, unpacked: today's size and a little room. A commit that raises it gives the reason. */
  limit: number
  /** Bytes of the code that the first entry point, or the program, loads later, if at all. Not in `limit`. */
  later?: number
  /** The files beside `dist/**` of code and types, LICENSE, README.md and package.json. */
  files?: string[]
  dependencies: string[]
  /** With a `?` where it is optional. */
  peers?: string[]
}

/** Fields of every published `package.json` that a release writes: the address is that of the repository whose workflow makes it. */
export const WITHOUT_ADDRESS = ['homepage', 'bugs', 'repository']

/** The name on npm of the package in this folder. */
export const npmName = (folder: string): string =>
  folder.startsWith('create-') ? folder : `@ostiary/${folder}`

export const PUBLISHED: Record<string, PublishedPackage> = {
  'access-rules': { limit: 10_000, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  addresses: { limit: 30_500, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  // A quarter of it are types and README. The OpenAPI document is made when it is asked for.
  admin: { limit: 123_500, dependencies: ['@ostiary/core', '@ostiary/identity', 'zod'] },
  'admin-client': {
    // A third of it are types and README. openid-client, with oauth4webapi, is loaded with the first request.
    limit: 38_500,
    // What the commands do.
    later: 34_500,
    dependencies: ['@ostiary/core', '@ostiary/identity', 'openid-client'],
  },
  'admin-commands': {
    // Two thirds of it are types and README.
    limit: 27_000,
    // What the commands do. Half of it shows records as they were, and undoes changes.
    later: 56_500,
    dependencies: [
      '@ostiary/admin',
      '@ostiary/admin-client',
      '@ostiary/audit',
      '@ostiary/core',
      '@ostiary/explain',
      '@ostiary/identity',
      '@ostiary/personal-data',
      'jose',
      'zod',
    ],
  },
  audit: {
    // Two fifths of it are types and README.
    limit: 51_000,
    dependencies: ['@ostiary/core', '@ostiary/identity'],
  },
  'audit-sinks': {
    // A third of it are types and README.
    limit: 33_000,
    // What the command and `doctor` show.
    later: 4_000,
    dependencies: ['@ostiary/audit', '@ostiary/core'],
  },
  console: {
    // A third of it are the texts in three languages. It is loaded with the first page.
    limit: 126_000,
    dependencies: ['@ostiary/core', '@ostiary/identity', 'oauth4webapi'],
  },
  'console-activity': {
    // Half of it are the texts in three languages. It is loaded with the first page.
    limit: 54_500,
    dependencies: ['@ostiary/console', '@ostiary/identity'],
  },
  // Half of it are the texts in three languages. It is loaded with the first page of the console.
  'console-clients': { limit: 46_000, dependencies: ['@ostiary/console', '@ostiary/identity'] },
  // Two fifths of it are the texts in three languages. It is loaded with the first page of the console.
  'console-settings': { limit: 26_500, dependencies: ['@ostiary/console', '@ostiary/identity'] },
  // Two fifths of it are the texts in three languages.
  'console-setup': { limit: 34_000, later: 4_000, dependencies: ['@ostiary/console', '@ostiary/identity'] },
  core: {
    // A quarter of it is type declarations, with a docstring on each export and option. The texts of faults, the development
    // pages and the log for development are another tenth. A sixth is for clients with documents and keys (MCP), a ninth for
    // tokens that are bound to a key, pushed requests, several algorithms and the profile fapi2.
    limit: 600_000,
    // fastest-levenshtein finds the option or key that was probably meant, at creation only.
    dependencies: ['@noble/hashes', '@ostiary/resource-server', 'fastest-levenshtein', 'jose', 'zod'],
  },
  'create-ostiary': {
    limit: 28_000,
    files: [
      'common/gitignore',
      'express/server.ts',
      'hono/server.ts',
      ...[
        'POSTGRESQL.md',
        'README.md',
        'accounts.ts',
        'pages.ts',
        'provider.ts',
        'settings.ts',
        'storage.ts',
        'tsconfig.json',
      ].map((name) => `embedded/${name}`),
      ...['.well-known/[...path]', 'login', 'oauth/[...path]', '.'].map((path) =>
        join('next/app', path, 'route.ts'),
      ),
      ...['README.md', 'application.ts', 'gitignore', 'instrumentation.ts', 'tsconfig.json'].map(
        (name) => `next/${name}`,
      ),
      ...['README.md', 'ostiary.config.json'].map((name) => `server/${name}`),
    ].map((path) => `templates/${path}`),
    dependencies: [],
  },
  'resource-server': {
    // A tenth of it is docstrings, in the type declarations; a twentieth is scopes that imply others, with the README's part. A
    // fifth is DPoP: the check of proofs, nonces, the second challenge and its options, which core uses too. A tenth verifies JWTs
    // and signatures, with node:crypto or WebCrypto.
    limit: 128_000,
    // jose verifies signatures; the token store needs a SHA-256 without a promise, and nonces an HMAC.
    dependencies: ['@noble/hashes', 'jose'],
    peers: ['express?', 'fastify?', 'hono?'],
  },
  // Passkeys and codes are a fifth of it: nothing of them runs in an application that gives no factors.
  identity: {
    limit: 250_000,
    // The account page, the pages of links, and what mails.
    later: 100_000,
    dependencies: [
      '@node-rs/argon2',
      '@ostiary/core',
      '@ostiary/messages',
      '@ostiary/totp',
      '@ostiary/webauthn',
    ],
  },
  // It came from identity. Half of it are types and README. uqr draws the QR code.
  totp: { limit: 8_500, dependencies: ['uqr'] },
  // It came from identity. A third of it are types and README.
  webauthn: { limit: 25_000, dependencies: [] },
  // All but 15 KB are texts, each in three languages. They came from identity.
  messages: { limit: 96_000, dependencies: ['@ostiary/core'] },
  // The README is a fifth of it, and a third imports the users of a file. The native modules are loaded with the first hash that needs them.
  'password-hashes': {
    limit: 36_000,
    dependencies: ['@node-rs/argon2', '@node-rs/bcrypt', '@ostiary/core', '@ostiary/identity', 'zod'],
  },
  // All but 15 KB is the list of common passwords, which the first lookup reads.
  explain: {
    // Half of it are types and README.
    limit: 14_500,
    // What to do: with the first refusal of a story.
    later: 6_500,
    dependencies: ['@ostiary/audit', '@ostiary/core', '@ostiary/identity'],
  },
  'personal-data': {
    limit: 13_000,
    dependencies: ['@ostiary/admin', '@ostiary/audit', '@ostiary/core', '@ostiary/identity'],
  },
  'password-rules': {
    limit: 411_000,
    later: 1_500,
    files: ['THIRD-PARTY-LICENSES.txt', 'common-passwords.bin'],
    dependencies: ['@ostiary/core', '@ostiary/identity'],
  },
  // A fifth of it are the texts in three languages. openid-client, with oauth4webapi, is loaded with the first sign-in.
  upstream: {
    limit: 60_000,
    dependencies: ['@ostiary/core', '@ostiary/identity', 'jose', 'openid-client'],
  },
  // A third of it are the texts in three languages.
  // Two fifths of it are the texts in three languages.
  'email-codes': { limit: 19_000, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  // A third of it are types and README.
  'email-sign-in': { limit: 12_500, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  recovery: { limit: 26_000, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  // A third of it are the texts in three languages.
  'account-deletion': { limit: 24_000, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  terms: { limit: 15_000, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  // A third of it are the texts in three languages.
  'sign-up': { limit: 16_500, dependencies: ['@ostiary/core', '@ostiary/identity'] },
  // Two fifths of it are types and README.
  // A third of it are types and README.
  'realm-operations': { limit: 17_500, dependencies: ['@ostiary/core', '@ostiary/identity', 'zod'] },
  realms: {
    // Half of it are types and README.
    limit: 42_000,
    // The operations of the admin API, the commands, and the page of the console with its texts in three languages.
    later: 28_500,
    dependencies: ['@ostiary/console', '@ostiary/identity', 'zod'],
  },
  simulation: { limit: 55_000, dependencies: ['@ostiary/core', '@ostiary/identity', 'zod'] },
  'storage-postgres': {
    // A sixth of it moves databases and realms; a tenth runs migrations while servers use the database. The check of writes and
    // `diagnose` came from host. A twelfth are the stores of a database that is divided by buckets, 5 KB end what a restore brings back,
    // 4 KB notice a restore, 7 KB keep one of several PostgreSQL from stopping the others, and
    // 6 KB are the store of factors.
    limit: 165_000,
    dependencies: ['@ostiary/core', 'postgres'],
    peers: ['@ostiary/identity?'],
  },
  'storage-pglite': {
    limit: 2_000_000,
    // A database as it is after the migrations, so that the embedded one starts at once. The name contains the versions that made it.
    files: ['dist/pglite-<version>-<hash>.tar.br'],
    dependencies: ['@electric-sql/pglite', '@ostiary/storage-postgres'],
  },
  // A third of it came from host: `connect` and `diagnose`. Background work over the tags of people took the last 10 KB.
  'storage-redis': { limit: 107_000, dependencies: ['@ostiary/core'], peers: ['ioredis'] },
  // The titles of its rules are sentences. The end of a client's grants by its mark took the last 1 KB.
  'storage-conformance': { limit: 168_000, dependencies: ['@ostiary/core'], peers: ['vitest'] },
  host: {
    // It contains the texts of all commands, the completion scripts, and the schema of the configuration.
    limit: 280_000,
    // The commands, `doctor`, what sends mails, and what opens a database.
    later: 220_000,
    files: [
      'ostiary.config.schema.json',
      ...[
        'claims.js',
        'demo.css',
        'demo.html',
        'demo.js',
        'landing.html',
        'next-step.html',
        'oidc-client.js',
      ].map((name) => `public/${name}`),
    ],
    dependencies: [
      // Loaded with the first user who may not use an application.
      '@ostiary/access-rules',
      // Loaded where users delete their own account.
      '@ostiary/account-deletion',
      // Loaded where identity.email_change is set.
      '@ostiary/addresses',
      '@ostiary/admin',
      '@ostiary/admin-client',
      '@ostiary/admin-commands',
      '@ostiary/audit',
      // Loaded where audit.sinks is set.
      '@ostiary/audit-sinks',
      // Loaded where admin.console is on.
      '@ostiary/console',
      '@ostiary/console-activity',
      '@ostiary/console-clients',
      '@ostiary/console-settings',
      '@ostiary/console-setup',
      '@ostiary/core',
      // Loaded where identity.email_codes is set.
      '@ostiary/email-codes',
      '@ostiary/email-sign-in',
      // With the explanations of the admin API.
      '@ostiary/explain',
      '@ostiary/identity',
      '@ostiary/password-hashes',
      '@ostiary/password-rules',
      // With the admin API.
      '@ostiary/realm-operations',
      // Loaded where realms_at_run_time is set.
      '@ostiary/realms',
      // Loaded where identity.recovery.mail is set.
      '@ostiary/recovery',
      // Work of one kind together (`turns`).
      '@ostiary/resource-server',
      // Loaded where identity.signup is set.
      '@ostiary/sign-up',
      // With the admin API, and for its commands.
      '@ostiary/simulation',
      '@ostiary/storage-postgres',
      '@ostiary/storage-redis',
      // Loaded where identity.terms is set.
      '@ostiary/terms',
      // Loaded where identity.upstreams is set.
      '@ostiary/upstream',
      'commander',
      // The peer of storage-redis.
      'ioredis',
      'ipaddr.js',
      'jsonc-parser',
      // Sends mails, where `identity.mail` is set.
      'nodemailer',
      'prom-client',
      'undici',
      'zod',
    ],
    // The storage that only a server without DATABASE_URL uses, and it is larger than all others together.
    peers: ['@opentelemetry/api?', '@ostiary/storage-pglite?'],
  },
  server: {
    folder: 'apps/node-server',
    program: 'ostiary',
    // One program, with the code that it uses of our packages, zod, jose, hono and postgres: as packages of their own, the
    // storages would take a third of the time until the first answer.
    limit: 1_030_000,
    later: 590_000,
    dependencies: [
      '@hono/node-server',
      '@node-rs/argon2',
      '@ostiary/access-rules',
      '@ostiary/account-deletion',
      '@ostiary/addresses',
      '@ostiary/admin',
      '@ostiary/admin-client',
      '@ostiary/admin-commands',
      '@ostiary/audit',
      '@ostiary/audit-sinks',
      '@ostiary/console',
      '@ostiary/console-activity',
      '@ostiary/console-clients',
      '@ostiary/console-settings',
      '@ostiary/console-setup',
      '@ostiary/email-codes',
      '@ostiary/email-sign-in',
      '@ostiary/explain',
      '@ostiary/host',
      '@ostiary/password-hashes',
      '@ostiary/password-rules',
      '@ostiary/personal-data',
      '@ostiary/realm-operations',
      '@ostiary/realms',
      '@ostiary/recovery',
      '@ostiary/sign-up',
      '@ostiary/simulation',
      '@ostiary/storage-pglite',
      '@ostiary/terms',
      // The commands parse their arguments with it.
      'commander',
      'hono',
      'ioredis',
      // Reads the configuration file.
      'jsonc-parser',
      'nodemailer',
      'openid-client',
      'prom-client',
      'undici',
      'uqr',
    ],
  },
}

/** The folder of a published package, below the repository. */
export const folderOf = (name: string): string => PUBLISHED[name]?.folder ?? `packages/${name}`
