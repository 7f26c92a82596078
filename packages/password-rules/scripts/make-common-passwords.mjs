/**
 * Writes common-passwords.bin from the list of @zxcvbn-ts/language-common: run it when that package has a new version. The same list makes
 * the same bytes. The file is part of the repository, because `pnpm start` installs no development dependencies.
 */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

const FILE = new URL('../common-passwords.bin', import.meta.url)

/** The words of the package. */
export const commonWords = () =>
  createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json')

/** The first 8 bytes of the SHA-256 of each word in the form NFKC and in lower case, sorted, each once. */
export function listBytes(words) {
  const entries = words.map((word) =>
    createHash('sha256').update(word.normalize('NFKC').toLowerCase()).digest('hex').slice(0, 16),
  )
  return Buffer.from([...new Set(entries)].sort().join(''), 'hex')
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href)
  writeFileSync(FILE, listBytes(commonWords()))
