/** The key `languages`: files with further languages are read and checked before the server starts. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configuredLog, createApp, readConfig } from '../src/index.ts'
import { FILE, folder, inMemory, SECRET } from './support.ts'

type Files = Record<string, unknown>

/** Writes the files into a folder and reads the configuration. The folder's name is cut from error messages. */
async function read(languages: unknown, files: Files = {}) {
  const cwd = await folder()
  const all: Files = { ...files, 'ostiary.config.json': { ...FILE, languages } }
  for (const [name, content] of Object.entries(all))
    await writeFile(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
  const config = await readConfig({ OIDC_SECRET: SECRET }, cwd).catch((error: Error) => error)
  if (!(config instanceof Error)) return { config, faults: [] }
  return { config: null, faults: config.message.replaceAll(`${cwd}/`, '').split('\n') }
}

const PORTUGUESE = { language: 'pt', messages: { 'sign_in.title': 'Entrar' } }

it('a language of a file is on the pages, and missing texts are in English', async () => {
  const text = '// Portuguese\n{ "language": "pt", "messages": { "sign_in.title": "Entrar", } }'
  const { config, faults } = await read({ files: ['./pt.json'] }, { 'pt.json': text })
  expect(faults).toEqual([])
  if (!config) return
  const log = configuredLog(config, () => {})
  const app = await createApp(config, { log, storage: inMemory() })
  const page = await app.fetch(
    new Request(`${config.issuer}/login?return_to=%2Faccount`, { headers: { 'accept-language': 'pt-BR' } }),
    {},
  )
  const html = await page.text()
  expect(html).toContain('<html lang="pt">')
  expect(html).toContain('<h1>Entrar</h1>')
  expect(html).toContain('<label for="password">Password</label>')
})

it('the files of docs/pages-and-languages.md have no fault', async () => {
  const page = await readFile(new URL('../../../docs/pages-and-languages.md', import.meta.url), 'utf8')
  const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  const [, file = ''] = /```jsonc\n([\s\S]*?)```/.exec(page) ?? []
  const { languages } = JSON.parse(settings)
  const { config, faults } = await read(languages, { 'pt-BR.json': file })
  expect(faults).toEqual([])
  expect(config?.languages?.catalogs?.[0]?.language).toBe('pt-BR')
})

it('the default may be a built-in language or that of a file', async () => {
  expect((await read({ default: 'de' })).config?.languages).toMatchObject({ default: 'de' })
  const { faults } = await read({ default: 'pt', files: ['pt.json'] }, { 'pt.json': PORTUGUESE })
  expect(faults).toEqual([])
})

it('every fault is reported with the file and its place in it', async () => {
  const { faults } = await read(
    { default: 'xx', files: ['missing.json', 'broken.json', 'pt.json', 'list.json'] },
    {
      'broken.json': '{\n  "language": pt }',
      'pt.json': {
        language: 'pt!',
        messages: {
          'sign_in.titel': 'Entrar',
          'consent.title': 'Permitir?',
          'sign_in.title': '<b>Entrar</b>',
        },
      },
      'list.json': [],
    },
  )
  expect(faults).toEqual([
    'languages.files.0: missing.json (missing.json) does not exist',
    'broken.json:2:15: this is not JSON: invalid symbol',
    'pt.json: language: give a language tag such as pt or pt-BR',
    'pt.json: messages.sign_in.titel: there is no message with this name; docs/messages.md lists the names; did you mean sign_in.title?',
    'pt.json: messages.consent.title: the parameter {application} is missing',
    'pt.json: messages.sign_in.title: write plain text: markup would be shown, not applied',
    'list.json: give an object with "language" and "messages"',
  ])
})

it('an unknown default, and a language that two files have, are faults', async () => {
  expect((await read({ default: 'xx' })).faults).toEqual([
    'languages.default: there is no such language; the languages are en, de, fr',
  ])
  const { faults } = await read(
    { files: ['a.json', 'b.json'] },
    { 'a.json': PORTUGUESE, 'b.json': PORTUGUESE },
  )
  expect(faults).toEqual(['b.json: language: another catalog has the language pt'])
})
