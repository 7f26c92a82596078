/** Generated files are up to date; `pnpm run docs` generates them. */

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { commandsPage } from '../scripts/commands-page.ts'
import { configurationPage, editorSchema } from '../scripts/configuration-page.ts'
import { COMMANDS } from '../src/cli/commands/index.ts'
import { variables } from '../src/config/environment.ts'

describe('generated files are up to date', () => {
  it('docs/configuration.md', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../../../docs/configuration.md')
  })

  it('docs/commands.md', async () => {
    await expect(commandsPage(COMMANDS)).toMatchFileSnapshot('../../../docs/commands.md')
  })

  it('ostiary.config.schema.json', async () => {
    await expect(editorSchema()).toMatchFileSnapshot('../ostiary.config.schema.json')
  })
})

it('every key has a description', () => {
  expect(variables().filter(({ description }) => description.length < 10)).toEqual([])
})

it('an editor accepts the example in your-own-server.md, and marks a misspelled key', async () => {
  const page = await readFile(new URL('../../../docs/your-own-server.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  const schema = z.fromJSONSchema(JSON.parse(editorSchema()))
  const file = { $schema: './ostiary.config.schema.json', ...JSON.parse(example) }
  expect(schema.safeParse(file).error).toBeUndefined()
  for (const wrong of [
    { ...file, cliens: [] },
    { ...file, oidc: { tokens: { acces_token: 1 } } },
    { port: '80' },
  ])
    expect(schema.safeParse(wrong).success).toBe(false)
})
