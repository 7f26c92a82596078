/** Which files of the repository are pages of the site, and at which path. */

import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../../..', import.meta.url))

/** The index of the pages, in the repository and of the site. */
const HOME = 'docs/README.md'
const README = /^(?:packages|examples)(?:\/[\w-]+)*\/README\.md$/

/**
 * The path of the page that a Markdown file is, without `.md`; null for a file that is no page.
 * @param file From the root of the repository, with `/`.
 */
export function pageOf(file: string): string | null {
  if (file === HOME || file === 'README.md') return 'index'
  if (README.test(file)) return file.replace(/README\.md$/, 'index')
  const [, page = null] = /^docs\/((?:frameworks\/)?[\w-]+)\.md$/.exec(file) ?? []
  if (page !== null) return page
  return /^(?:CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|SECURITY)\.md$/.test(file)
    ? file.slice(0, -3).toLowerCase()
    : null
}

/** Where a link of a page leads: a page of the site, a file that is in the repository alone, or elsewhere (null). */
export type Target = { page: string } | { file: string } | null

/**
 * @param file The Markdown file that has the link, from the root of the repository.
 * @throws When the link leads to no file.
 */
export function targetOf(href: string, file: string): Target {
  if (/^[a-z]+:|^#|^\/\//i.test(href)) return null
  const [path = '', hash] = href.split('#', 2)
  const absolute = path.startsWith('/') ? join(ROOT, path) : join(ROOT, dirname(file), path)
  if (!existsSync(absolute)) throw new Error(`${file}: the link ${href} leads to no file`)
  const found = relative(ROOT, absolute)
  const readme = join(found, 'README.md')
  const is_page = statSync(absolute).isDirectory() && existsSync(join(ROOT, readme))
  const page = pageOf(is_page ? readme : found)
  return page === null ? { file: found } : { page: `/${page}${hash === undefined ? '' : `#${hash}`}` }
}
