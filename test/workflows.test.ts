/** The workflows run code of others with rights of this repository: each action is one commit, which no tag can move. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './_sources.ts'

const FOLDER = join(ROOT, '.github/workflows')
const FILES = readdirSync(FOLDER)

/** A commit, with its version in a comment, which Dependabot renews together. */
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+(?:\.\d+)*$/

const actionsIn = (text: string): string[] =>
  [...text.matchAll(/^[ -]*uses:[ ]*(.*)$/gm)].map(([, action = '']) => action.trim())

describe.each(FILES)('the workflow %s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8')

  it('names each action by its commit, and says which version that is', () => {
    const actions = actionsIn(text)
    expect(actions).not.toEqual([])
    expect(actions.filter((action) => !PINNED.test(action))).toEqual([])
  })

  it('has no rights but those that it lists', () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m)
  })
})

describe('the release', () => {
  const text = readFileSync(join(FOLDER, 'release.yml'), 'utf8')

  it('may get an identity of its own, has no token of npm, and asks for provenance', () => {
    expect(text).toMatch(/^ {6}id-token: write$/m)
    expect(text).toMatch(/^ {10}PNPM_CONFIG_PROVENANCE: "true"$/m)
    expect([...text.matchAll(/secrets\.(\w+)/g)].map(([, secret]) => secret)).toEqual(['GITHUB_TOKEN'])
  })

  it('sets versions and publishes with the scripts of package.json, in the environment that asks for approval', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const [step, script] of [
      ['version', 'changeset version'],
      ['publish', 'changeset publish'],
    ] as const) {
      const [, run = ''] = new RegExp(`^ {10}${step}: pnpm run (\\w+)$`, 'm').exec(text) ?? []
      expect(scripts[run]).toContain(script)
    }
    expect(text).toMatch(/^ {4}environment: npm$/m)
  })

  it('runs for the main branch alone, one at a time', () => {
    expect(text).toMatch(/^on:\n {2}push:\n {4}branches: \[main\]\n\nconcurrency: release$/m)
  })
})

it('Dependabot renews the commits', () => {
  const text = readFileSync(join(ROOT, '.github/dependabot.yml'), 'utf8')
  expect(text).toContain('package-ecosystem: github-actions')
})
