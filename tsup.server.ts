import { defineConfig } from 'tsup'

/**
 * A server is one program: its dist holds the code that it runs of our packages, zod, jose and hono, and no other. zod
 * alone would bring its messages in all languages, 10 MB of memory. Native and optional modules, the storages and their
 * clients, undici and prom-client stay packages: a server loads them when it uses them.
 */
export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  clean: true,
  silent: true,
  // commander is CommonJS, and loads modules of Node with `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  noExternal: [/^@ostiary\/(core|host|identity|resource-server)/],
  external: [
    /^@ostiary\/storage-/,
    '@electric-sql/pglite',
    '@node-rs/argon2',
    '@opentelemetry/api',
    'ioredis',
    'prom-client',
    'undici',
  ],
})
