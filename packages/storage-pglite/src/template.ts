/**
 * A compressed data folder with every table, made when this package is built. Without it, the first start of the
 * embedded database runs initdb, which takes seconds and 850 MB of memory; with it, the first start takes about as long as
 * a later one.
 */

import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, createBrotliDecompress } from 'node:zlib'
import { SCHEMA, shortHash } from './schema.js'

/** The size of a block in a tar archive. */
const BLOCK_BYTES = 512
/** Increase it when a change of make-template.ts changes the folder although the migrations are the same. */
const TEMPLATE_VERSION = 2

/** A template fits only the version of PGlite and the migrations that made it, so the file name contains both. */
export function templateFile(): string {
  const { resolve } = createRequire(import.meta.url)
  // PGlite exports its entry points only, and not package.json.
  const entry = resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8')) as {
    version: string
  }
  const checksum = shortHash([TEMPLATE_VERSION, SCHEMA])
  // This file is in src or, built, in dist.
  return fileURLToPath(new URL(`../dist/pglite-${version}-${checksum}.tar.br`, import.meta.url))
}

export function compressTemplate(tar: Uint8Array): Buffer {
  // The database catalogs repeat over long distances, so the largest window compresses them best.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 }
  return brotliCompressSync(tar, { params })
}

/** Unpacks the template into an empty folder. False when none fits this version of PGlite and these migrations. */
export async function unpackTemplate(folder: string): Promise<boolean> {
  const file = templateFile()
  if (!existsSync(file)) return false
  await unpackTar(createReadStream(file).pipe(createBrotliDecompress()), folder)
  return true
}

/** Files and folders as `dumpDataDir` writes them (POSIX ustar). Reads one chunk at a time, to keep memory low. */
async function unpackTar(tar: AsyncIterable<Buffer>, folder: string): Promise<void> {
  let header = Buffer.alloc(0)
  let entry: { file: number; left: number; padding: number } | null = null
  for await (const chunk of tar) {
    for (let rest = chunk; rest.length > 0; ) {
      if (entry === null) {
        const missing = BLOCK_BYTES - header.length
        header = Buffer.concat([header, rest.subarray(0, missing)])
        rest = rest.subarray(missing)
        if (header.length < BLOCK_BYTES) continue
        entry = openEntry(header, folder)
        header = Buffer.alloc(0)
      } else {
        const data: Buffer = rest.subarray(0, entry.left)
        writeSync(entry.file, data)
        const skipped = Math.min(rest.length - data.length, entry.padding)
        rest = rest.subarray(data.length + skipped)
        entry.left -= data.length
        entry.padding -= skipped
        if (entry.left > 0 || entry.padding > 0) continue
        closeSync(entry.file)
        entry = null
      }
    }
  }
}

/** Null for entries without content: folders, empty files, and the two empty blocks at the end. */
function openEntry(header: Buffer, folder: string) {
  const text = (from: number, length: number) =>
    header.toString('utf8', from, from + length).replace(/\0.*/s, '')
  const name = text(0, 100)
  if (name === '') return null
  const path = join(folder, text(345, 155), name)
  if (text(156, 1) === '5') {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return null
  }
  const file = openSync(path, 'w', 0o600)
  const left = Number.parseInt(text(124, 12), 8)
  if (left > 0) return { file, left, padding: -left & (BLOCK_BYTES - 1) }
  closeSync(file)
  return null
}
