/** Makes the template of the embedded database. The build runs it in this package's folder. */

import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MIGRATIONS, migrations } from '@ostiary/storage-postgres'
import { executorOf } from './pglite-executor.js'
import { SCHEMA, schemaOf } from './schema.js'
import { compressTemplate, templateFile } from './template.js'

if (schemaOf(MIGRATIONS) !== SCHEMA)
  throw new Error(`The migrations have changed: set SCHEMA in src/schema.ts to '${schemaOf(MIGRATIONS)}'`)

// The file name changes with everything that the template depends on, so later builds can reuse the file.
const cache = join('node_modules', '.cache')
const cached = join(cache, basename(templateFile()))

if (!existsSync(cached)) {
  mkdirSync(cache, { recursive: true })
  const { PGlite } = await import('@electric-sql/pglite')
  const db = await PGlite.create()
  await migrations(executorOf(db)).migrate()
  // A new cluster has three databases. Only `postgres` is used; the other two, templates for new databases, take 16 MB.
  await db.exec(`update pg_database set datistemplate = false`)
  for (const name of ['template0', 'template1']) await db.exec(`drop database ${name}`)
  await db.exec('vacuum analyze')
  await db.exec('checkpoint')
  const dump = await db.dumpDataDir('none')
  await db.close()
  writeFileSync(`${cached}.part`, compressTemplate(new Uint8Array(await dump.arrayBuffer())))
  renameSync(`${cached}.part`, cached)
}
copyFileSync(cached, templateFile())
