/** Reads the files with languages of the pages that the configuration names, and checks all of them. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ConfigFault } from '@ostiary/core'
import { type LanguageCatalog, type LanguagesOptions, languagesFaults } from '@ostiary/identity'
import { given } from '../values/given.js'
import { parseJson } from './json.js'
import { folderOf } from './sources.js'

/** The key `languages`. */
interface LanguagesKey {
  default?: string | undefined
  files: string[]
}

interface ReadLanguages {
  options: LanguagesOptions
  faults: ConfigFault[]
}

interface LanguageFile {
  /** Absolute. */
  path: string
  catalog: LanguageCatalog
}

/** @param config_file The file with the key: relative paths start from its folder, without one from `cwd`. */
export async function readLanguages(
  languages: LanguagesKey | undefined,
  { config_file, cwd }: { config_file: string | null; cwd: string },
): Promise<ReadLanguages | null> {
  if (!languages) return null
  const folder = folderOf(config_file, cwd)
  const files = languages.files.map((name, index) => ({ name, index, path: resolve(folder, name) }))
  const read = await Promise.all(files.map(readLanguage))
  const readable = read.filter((result): result is LanguageFile => 'catalog' in result)
  const options: LanguagesOptions = {
    ...given({ default: languages.default }),
    catalogs: readable.map(({ catalog }) => catalog),
  }
  const unreadable = read.filter((result): result is ConfigFault => !('catalog' in result))
  // The default may be the language of a file that cannot be read.
  const faults = languagesFaults(unreadable.length > 0 ? { catalogs: options.catalogs ?? [] } : options)
  return { options, faults: [...unreadable, ...faults.map((fault) => withFile(fault, readable))] }
}

async function readLanguage({
  name,
  index,
  path,
}: {
  name: string
  index: number
  path: string
}): Promise<LanguageFile | ConfigFault> {
  const key = `languages.files.${index}`
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    return { path: key, message: `${name} (${path}) ${problem}` }
  }
  const json = await parseJson(text)
  if ('fault' in json)
    return { path: key, source: `${path}:${json.line}:${json.column}`, message: json.fault }
  return { path, catalog: json.value as LanguageCatalog }
}

/** The fault with the file that has it, and its place in the file. */
function withFile(fault: ConfigFault, files: readonly LanguageFile[]): ConfigFault {
  const [, index, place = ''] = /^languages\.catalogs\.(\d+)(?:\.(.+))?$/.exec(fault.path) ?? []
  const file = index === undefined ? undefined : files[Number(index)]
  if (!file) return fault
  return { ...fault, source: place === '' ? file.path : `${file.path}: ${place}` }
}
