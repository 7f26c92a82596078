/** The lists of mutants: `test/mutants/*.mjs` of each package and app. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changed, hasSymbol } from './operators.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** More would tax every change: a mutant stands for a rule of security, of lost data, or of the contract. */
export const MAX_MUTANTS = 300

/**
 * What a list says of a mutant: the symbol that contains the change, the operator, the fragment that names the node, and the
 * other text of operators that have one. See operators.mjs.
 * @typedef {[symbol: string, operator: string, fragment: string, other?: string]} Row
 */
/**
 * @typedef {object} Group
 * @property {string} file Below the repository.
 * @property {string[]} tests Test files that should notice the mutants, below the package.
 * @property {string} [title] Only tests whose full name matches this regular expression.
 * @property {Record<string, Row>} mutants By what each breaks.
 */
/**
 * @typedef {object} List
 * @property {'postgres' | 'redis' | 'all'} [services] The databases that the tests need.
 * @property {string} [config] The settings of vitest, from the package's folder. Its own may not have projects, which do not take the
 *   change.
 * @property {Group[]} groups
 */
/** @typedef {import('./operators.mjs').Change & Omit<Group, 'mutants'> & { id: string, folder: string }} Mutant */

/**
 * @param {string[]} packages Names of folders, such as `core`, or of lists, such as `core/dpop`; all when it is empty.
 * @param {string} only Mutants whose id contains this.
 * @returns {Promise<{ name: string, folder: string, services?: string, config?: string, mutants: Mutant[] }[]>}
 */
export async function readLists(packages, only) {
  const known = knownLists()
  const isNamed = (wanted) => known.some(({ name }) => isOf(name, wanted))
  const unknown = packages.find((wanted) => !isNamed(wanted))
  if (unknown !== undefined)
    throw new Error(`There is no list ${unknown}, only ${known.map(({ name }) => name).join(', ')}`)
  const chosen = known.filter(
    ({ name }) => packages.length === 0 || packages.some((each) => isOf(name, each)),
  )
  return Promise.all(
    chosen.map(async ({ name, folder, path }) => {
      const { default: list } = await import(path)
      const mutants = list.groups.flatMap((group) => mutantsOf(group, folder))
      const { services, config } = list
      return { name, folder, services, config, mutants: mutants.filter(({ id }) => id.includes(only)) }
    }),
  )
}

const isOf = (name, wanted) => name === wanted || name.startsWith(`${wanted}/`)

function knownLists() {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  )
  return folders.flatMap((folder) => {
    const lists = join(ROOT, folder, 'test/mutants')
    const files = existsSync(lists) ? readdirSync(lists) : []
    const prefix = folder.slice(folder.indexOf('/') + 1)
    return files.map((file) => ({
      name: `${prefix}/${file.slice(0, -'.mjs'.length)}`,
      folder,
      path: join(lists, file),
    }))
  })
}

function mutantsOf({ mutants, ...group }, folder) {
  return Object.entries(mutants).map(([id, [symbol, operator, fragment, other]]) => ({
    ...group,
    folder,
    id,
    symbol,
    operator,
    fragment,
    ...(other !== undefined && { other }),
  }))
}

/** What is wrong with the mutant's symbol, apart from the line inside of it. @param {Mutant} mutant @returns {string[]} */
export function symbolFaults({ id, file, symbol }) {
  return hasSymbol(sourceOf(file), symbol) ? [] : [`${id}: ${file} does not have one symbol ${symbol}`]
}

/** @param {Mutant} mutant @returns {string[]} */
export function matchFaults(mutant) {
  const { id, folder, file, tests } = mutant
  const missing = tests.filter((test) => !existsSync(join(ROOT, folder, test)))
  if (missing.length > 0) return [`${id}: there is no ${folder}/${missing.join(', ')}`]
  const result = changed(sourceOf(file), mutant)
  return 'fault' in result ? [`${id}: ${file}: ${result.fault}`] : []
}

/** @param {string} file Below the repository. */
export function sourceOf(file) {
  try {
    return readFileSync(join(ROOT, file), 'utf8')
  } catch {
    return ''
  }
}
