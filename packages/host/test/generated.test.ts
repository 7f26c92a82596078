/** Files that are made from the source are as it would make them: `pnpm run docs` writes them anew. */

import { describe, expect, it } from 'vitest'
import { configurationPage, editorSchema } from '../scripts/configuration-page.ts'
import { COMMANDS } from '../src/cli/commands/index.ts'
import { commandsPage } from '../src/cli/help.ts'
import { variables } from '../src/environment.ts'

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

it('every key says what it means', () => {
  expect(variables().filter(({ description }) => description.length < 10)).toEqual([])
})
