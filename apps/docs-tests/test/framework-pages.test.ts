/** The pages of docs/frameworks for new applications. applications.test.ts looks at the entry of each. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { fencesOf, ROOT } from './fences.ts'
import { FRAMEWORKS } from './framework-accounts.ts'

const PAGES = Object.keys(FRAMEWORKS)

const entryOf = (page: string): string =>
  fencesOf(page).find(({ language }) => language === 'json')?.code ?? ''

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('the files are those of the client of the entry', () => {
    const [{ client_id }] = JSON.parse(entryOf(page)).clients
    const files = fencesOf(page).flatMap(({ language, code }) => (language === 'json' ? [] : code))
    expect(files.join('\n')).toMatch(new RegExp(`client_?id\\W*${client_id}\\b`, 'i'))
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
