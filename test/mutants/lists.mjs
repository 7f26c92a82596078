/** The lists of mutants. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} file Below the repository.
 * @property {string} find In the file exactly once.
 * @property {string} replace
 * @property {string[]} tests Test files that should notice it, below the list's folder.
 * @property {string} [title] Only tests whose full name matches this regular expression.
 */
/**
 * @typedef {object} List
 * @property {string} name Of its file.
 * @property {string} folder The package whose tests run.
 * @property {'postgres' | 'redis' | 'all'} [services] The databases that the tests need.
 * @property {Mutant[]} mutants
 */

/**
 * @param {string[]} names All lists when it is empty.
 * @param {string} only Mutants whose id contains this.
 * @returns {Promise<List[]>}
 */
export async function readLists(names, only) {
  const known = readdirSync(new URL('lists/', import.meta.url)).map((file) => file.replace('.mjs', ''))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no list ${unknown}, only ${known.join(', ')}`)
  return Promise.all(
    (names.length > 0 ? names : known).map(async (name) => {
      const { default: list } = await import(`./lists/${name}.mjs`)
      const chosen = list.mutants.filter(({ id }) => id.includes(only))
      return { ...list, name, mutants: chosen.map((mutant) => ({ ...mutant, folder: list.folder })) }
    }),
  )
}

/** @param {Mutant & { folder: string }} mutant @returns {string[]} */
export function matchFaults({ id, folder, file, find, replace, tests }) {
  if (find === replace) return [`${id}: changes nothing`]
  const missing = tests.filter((test) => !existsSync(join(ROOT, folder, test)))
  if (missing.length > 0) return [`${id}: there is no ${folder}/${missing.join(', ')}`]
  const places = sourceOf(file).split(find).length - 1
  return places === 1 ? [] : [`${id}: ${file} has its text ${places} times: ${find}`]
}

/** @param {string} file Below the repository. */
export function sourceOf(file) {
  try {
    return readFileSync(join(ROOT, file), 'utf8')
  } catch {
    return ''
  }
}
