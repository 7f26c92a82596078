/** In a process of its own: the tests of one file share their modules. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = `
import { createRequire, syncBuiltinESMExports } from 'node:module'
import fs from 'node:fs/promises'
const reads = []
const { readFile } = fs
fs.readFile = (file, ...rest) => {
  reads.push(String(file).split('/').at(-1))
  return readFile(file, ...rest)
}
syncBuiltinESMExports()
const { passwordRules } = await import('./src/index.ts')
const rules = passwordRules()({ id: 'r', issuer: 'https://a.example', product: null, second_factor_required: true })
const candidate = { username: 'ann', email: null }
const answers = [await rules.check({ ...candidate, password: 'aaaaaaaa' })]
const before = [...reads]
for (const password of ['password1', 'qwertyuiop', 'a good one of mine'])
  answers.push(await rules.check({ ...candidate, password }))
console.log(JSON.stringify({ before, answers, reads }))
`

it('the list is read with the first password that it decides about, and once', async () => {
  const cwd = new URL('..', import.meta.url)
  const args = ['--conditions=development', '--import', 'tsx', '--input-type=module', '-e', PROGRAM]
  const { stdout } = await promisify(execFile)('node', args, { cwd })
  expect(JSON.parse(stdout)).toEqual({
    before: [],
    answers: ['few_characters', 'common', 'common', 'accepted'],
    reads: ['common-passwords.bin'],
  })
})
