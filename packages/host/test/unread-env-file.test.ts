/** A secret that stands in `.env`, which Node has not read: the error says so. A new secret could not decrypt the stored keys. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@ostiary/host'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { expect, it } from 'vitest'
import { FILE, SECRET } from './support.ts'

const MISSING = 'OIDC_SECRET: set this variable to at least 32 random characters, and keep them'

/** The error of a start in a folder with this `.env`. */
async function faultWith(lines: string | null): Promise<string> {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(FILE))
  if (lines !== null) await writeFile(join(cwd, '.env'), lines)
  const error = await readConfig({}, cwd, { entry_secrets: false }).catch((reason: Error) => reason.message)
  return String(error).replace(cwd, '…')
}

it('names the file, and how to read it, and not the secret', async () => {
  const fault = await faultWith(`# Secrets\nOIDC_SECRET=${SECRET}\nPORT=3000\n`)
  expect(fault).toBe(
    `${MISSING}. …/.env has it, but was not read: start with node --env-file=.env; in a project of npm create ostiary, npm run ostiary -- <command> does that`,
  )
  expect(fault).not.toContain(SECRET)
})

it.each([
  ['without the file', null],
  ['where the file has another variable', 'PORT=3000\n'],
  ['where the line is a comment', `# OIDC_SECRET=${SECRET}\n`],
  ['where a longer name begins alike', `OIDC_SECRET_PREVIOUS=${SECRET}\n`],
])('says nothing of it %s', async (_case, lines) => {
  expect(await faultWith(lines)).toBe(MISSING)
})
