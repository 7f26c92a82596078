/** Run by this package's build, in its folder. */

import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { migrations } from '../migrations/migrations.js'
import { executorOf } from './pglite-executor.js'
import { compressTemplate, templateFile } from './template.js'

// Its name says all that it depends on, so it is kept from build to build.
const cache = join('node_modules', '.cache')
const kept = join(cache, basename(templateFile()))

if (!existsSync(kept)) {
  mkdirSync(cache, { recursive: true })
  const db = await PGlite.create()
  await migrations(executorOf(db)).migrate()
  // Two of the three databases of a new cluster are there to make others from: 16 MB that nobody would read.
  await db.exec(`update pg_database set datistemplate = false`)
  for (const name of ['template0', 'template1']) await db.exec(`drop database ${name}`)
  await db.exec('vacuum analyze')
  await db.exec('checkpoint')
  const dump = await db.dumpDataDir('none')
  await db.close()
  writeFileSync(`${kept}.part`, compressTemplate(new Uint8Array(await dump.arrayBuffer())))
  renameSync(`${kept}.part`, kept)
}
copyFileSync(kept, templateFile())
