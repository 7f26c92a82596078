import { defineConfig } from 'tsup'

/**
 * The build of a server: one program with the code that it uses of our packages, zod, jose and hono. Unbundled, zod would
 * load its messages in all languages, which take 10 MB of memory. Native and optional modules, the storages and their
 * clients, undici and prom-client stay packages, and a server loads them when it uses them.
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
