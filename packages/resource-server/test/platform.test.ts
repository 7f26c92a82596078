/** Which implementation of `#platform` a runtime or a bundler gets from the published package. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const { publishConfig } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const targets: Record<string, string> = publishConfig.imports['#platform']

/** The first condition that holds (Node's documentation of packages, conditional exports). */
const chosen = (conditions: string[]): string | undefined =>
  Object.entries(targets).find(([name]) => name === 'default' || conditions.includes(name))?.[1]

it.each([
  ['Node, import', ['node', 'import', 'module-sync', 'node-addons'], 'platform-node'],
  ['Node, require', ['node', 'require', 'module-sync', 'node-addons'], 'platform-node'],
  ['Bun', ['bun', 'node', 'import'], 'platform-node'],
  ['Deno', ['deno', 'node', 'import'], 'platform'],
  ['Cloudflare Workers', ['workerd', 'worker', 'browser', 'import'], 'platform'],
  ['an edge runtime', ['edge-light', 'worker', 'browser', 'import'], 'platform'],
  ['a browser', ['browser', 'module', 'import'], 'platform'],
  ['no conditions', [], 'platform'],
])('%s', (_, conditions, expected) => {
  expect(chosen(conditions)).toBe(`./dist/${expected}.js`)
})
