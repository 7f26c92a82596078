/** docs/embed-it.md: the first files, copied from the page, are programs that start and sign a user in; those of the other sections compile. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PAGE, parts, SECTIONS, section } from './embed-page.ts'
import {
  ALONE,
  application,
  CONFIDENTIAL,
  ON_POSTGRES,
  PASSWORD,
  PUBLIC,
  ports,
  signIn,
  startProgram,
} from './embed-program.ts'
import { ROOT } from './fences.ts'
import { compile } from './snippets.ts'

describe('a first token', () => {
  const { files, commands } = section('A first token')
  it.each([
    { name: 'development.ts', fields: { sub: 'ann' } },
    { name: 'server.ts', fields: { password: 'correct horse' } },
  ])('$name', async ({ name, fields }) => {
    const command = commands.find((each) => each.endsWith(` ${name}`)) ?? ''
    const taken = await ports()
    await startProgram({ files: { [name]: files[name] ?? '' }, command }, taken)
    expect(await signIn(application(PUBLIC), taken, fields)).toContain('Hello Ann Example!')
  })
})

describe('the page', () => {
  const text = [...SECTIONS.values()].flatMap(({ commands }) => commands)

  it('tells what to write in app.mjs', () => {
    const words = readFileSync(join(ROOT, PAGE), 'utf8').replaceAll(/\s+/g, ' ')
    expect(words).toContain(`\`${CONFIDENTIAL}\` in place of \`'my-app', undefined, client.None()\``)
    expect(words).toContain("with `'notes'` in place of `'my-app'`")
    expect(words).toContain(`password \`${PASSWORD}\``)
  })

  it('makes a package of modules before it installs, and installs what runs TypeScript', () => {
    const first = text.filter((command) => command.startsWith('npm init -y'))
    expect(first.map((command) => [command.split('\n')[1], command.split('\n').at(-1)])).toEqual(
      Array(3).fill(['npm pkg set type=module', 'npm install -D tsx']),
    )
  })

  it('installs what the files of a section import', () => {
    const before = /^npm install (.+)$/m
    for (const [heading, { files, commands }] of SECTIONS) {
      const all = heading === 'Several realms' ? section('The built-in sign-in').commands : commands
      const own = all.flatMap((command) => before.exec(command)?.[1]?.split(' ') ?? [])
      const known = new Set([...own, '@ostiary/core', 'bun'])
      const imported = Object.values(files).flatMap((code) =>
        [...code.matchAll(/ from '(?!node:)([^.'][^']*)'/g)].map(([, name = '']) => packageOf(name)),
      )
      expect(
        imported.filter((name) => !known.has(name)),
        heading,
      ).toEqual([])
    }
  })

  it('shows, behind the sections, parts of their files alone', () => {
    const all = [...SECTIONS.values()].map(({ files }) => files)
    const lines = (code: string) => code.split('\n').map((line) => line.trim())
    const inOne = ({ name, lines: wanted }: { name: string; lines: string[] }) =>
      all.some(({ [name]: file = '' }) =>
        wanted.every((part) => lines(file).join('\n').includes(lines(part).join('\n').trim())),
      )
    expect(parts().length).toBeGreaterThan(5)
    expect(parts().filter((part) => !inOne(part))).toEqual([])
  })

  it.each(['PostgreSQL', 'Your users in a table', 'Redis', 'The built-in sign-in', 'Several realms'])(
    '%s compiles',
    async (heading) => {
      const files = {
        ...(ALONE.includes(heading) ? {} : ON_POSTGRES),
        ...section(heading).files,
      }
      const { remove } = await compile(
        Object.entries(files).map(([name, code]) => ({ name, code })),
        {
          allowImportingTsExtensions: true,
        },
      )
      remove()
    },
  )
})

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
