/** docs/frameworks: the entry of each page is a configuration, also for an embedded provider, and its client is that of the files. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { configured } from './configured.ts'
import { fencesOf, ROOT } from './fences.ts'

const PAGES = readdirSync(join(ROOT, 'docs/frameworks')).map((name) => `docs/frameworks/${name}`)

const entryOf = (page: string): string =>
  fencesOf(page).find(({ language }) => language === 'json')?.code ?? ''

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('the entry is a configuration without faults, and its client stands in the lines of the application', async () => {
    const { realms } = await configured(entryOf(page))
    const clients = realms.default?.clients ?? []
    expect(clients).toHaveLength(1)
    const lines = fencesOf(page).flatMap(({ language, code }) => (language === 'json' ? [] : code))
    for (const { metadata } of clients)
      expect(lines.join('\n')).toMatch(new RegExp(`client_?id\\W*${metadata.client_id}\\b`, 'i'))
  })

  it('the line for an embedded provider is the same client', () => {
    const [, call] = /^Embedded: `clients\.ensure\((.*)\)`$/m.exec(text) ?? []
    const { clients } = JSON.parse(entryOf(page))
    const process = { env: { CLIENT_SECRET: 'CLIENT_SECRET' } }
    const { client_secret: client_secret_env, ...created } = runInNewContext(`(${call})`, { process })
    const [entry] = clients
    expect({ ...created, ...(client_secret_env && { client_secret_env }) }).toEqual(entry)
  })

  it('says with which versions it was tried, and what goes wrong', () => {
    expect(text).toMatch(/^Tried with `[\s\S]*?`.*\.$/m)
    expect(text).toMatch(/^## What goes wrong\n\n- /m)
  })
})
