/** Advice that names a command also names the page that does the same. */

import { readFileSync } from 'node:fs'
import { catalogReasons, hintFor } from '@ostiary/core'
import { expect, it } from 'vitest'
import { placeOf } from '../src/pages/advice.ts'

const documented = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8')
const COMMANDS = [...documented.matchAll(/^## (\S+ .+)$/gm)].map(([, name = '']) => name)

it('each command that a sentence of the catalog names has a page', () => {
  const hints = [...catalogReasons().keys()].map((reason) => hintFor(reason) ?? '')
  const isNamed = (hint: string) => COMMANDS.some((name) => new RegExp(`\\b${name}\\b`).test(hint))
  const named = hints.filter(isNamed)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((hint) => placeOf(hint) === undefined)).toEqual([])
  expect(hints.filter((hint) => !isNamed(hint) && placeOf(hint) !== undefined)).toEqual([])
})
