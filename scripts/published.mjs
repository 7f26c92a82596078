/**
 * Removes the note that the packages are not on npm from every page, when a release sets the first version. The documentation tests
 * demand it until then, and refuse it afterwards.
 */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'

/** A paragraph of its own, on one line. */
const NOTE = /^> Not on npm yet\b.*\n\n?/gm

const folders = [
  'docs',
  ...['packages', 'apps'].flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`)),
]
const pages = folders
  .filter((folder) => statSync(folder).isDirectory())
  .flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])),
  )

for (const page of ['README.md', ...pages]) {
  const text = readFileSync(page, 'utf8')
  const released = text.replace(NOTE, '')
  if (released !== text) writeFileSync(page, released)
}
