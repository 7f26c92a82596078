/** The option types that editors show are those of the schemas, with a text for every key. */

import type { ClientInput, RealmConfig } from '@ostiary/core'
import { expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import { optionTypes } from '../scripts/option-types.ts'
import type { clientInput } from '../src/clients/client-input.ts'
import type { oidcSchema } from '../src/config/config.ts'

it.each(optionTypes())(
  '$file is up to date; `pnpm --filter @ostiary/core run option-types` generates it',
  async ({ file, text }) => {
    await expect(text).toMatchFileSnapshot(`../src/${file}`)
  },
)

it('the interfaces accept what the schemas accept; the type check shows a difference', () => {
  expectTypeOf<RealmConfig>().toEqualTypeOf<z.input<typeof oidcSchema>>()
  expectTypeOf<ClientInput>().toEqualTypeOf<z.input<typeof clientInput>>()
})

it('every key has a docstring with its unit and its default', () => {
  const text = optionTypes()
    .map((each) => each.text)
    .join('')
  expect(text).toContain(`    /** Seconds that an access token is valid. Default: \`900\`. */
    access_token?: number | undefined`)
  const lines = text.split('\n')
  const keys = lines.flatMap((line, at) =>
    /^ +\w+\??: /.test(line) ? [{ line, before: lines[at - 1] }] : [],
  )
  expect(keys.length).toBeGreaterThan(40)
  expect(keys.filter(({ before }) => !before?.endsWith('*/'))).toEqual([])
})
