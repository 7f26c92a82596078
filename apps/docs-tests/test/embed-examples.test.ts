/** The files of docs/embed-it.md are those of the examples, which apps/interop runs in each runtime. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PAGE, section } from './embed-page.ts'
import { fencesOf, ROOT } from './fences.ts'

/** The folder below `examples` with the files of this section. */
const EXAMPLES: Record<string, string> = {
  'A first token': 'embed-start',
  'Your accounts and pages': 'embed-app/src',
  Hono: 'embed-hono/src',
  Express: 'embed-express/src',
  'Next.js': 'embed-next',
  Bun: 'embed-bun',
  Deno: 'embed-deno',
  'Cloudflare Workers': 'embed-worker/src',
}
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** An example imports the shared files as a package; the reader has them in the same folder. */
const inOneFolder = (code: string, name: string): string =>
  code.replace("'@ostiary/example-embed-app'", name.includes('/') ? "'../provider.ts'" : "'./provider.ts'")

describe.each(Object.entries(EXAMPLES))('%s', (heading, folder) => {
  const { files } = section(heading)
  it.each(Object.keys(files))(`%s is the file in ${folder}`, (name) => {
    expect(files[name]).toBe(inOneFolder(read(`examples/${folder}/${name}`), name))
  })
})

it('no program takes an empty PORT for port 0, or an empty ISSUER for an address: they count as not set', () => {
  const code = fencesOf(PAGE).map((fence) => fence.code)
  const defaults = code.join('\n').match(/.*\b(?:PORT|ISSUER)(?: = ['`]|'?\)? \?\?).*/g)
  expect(defaults).toBeNull()
  expect(code.filter((text) => /\bPORT\b.*\|\| 3000/.test(text)).length).toBeGreaterThan(5)
})

it('has a section for every example', () => {
  const all = readdirSync(join(ROOT, 'examples')).filter((name) => name.startsWith('embed-'))
  const shown = Object.values(EXAMPLES).map((folder) => folder.split('/', 1)[0])
  expect(shown.sort()).toEqual(all.sort())
})

it('creates a project as the README of create-ostiary does; its own tests run it', () => {
  const commands = fencesOf(PAGE).filter(({ begins }) => begins.startsWith('npm create'))
  const readme = read('packages/create-ostiary/README.md')
  expect(commands.map(({ code }) => readme.includes(code.trim()))).toEqual([true])
})
