/** A page of docs/frameworks: its commands, its files, the entry of the client, and the versions with which it was tried. */

import { readFileSync } from 'node:fs'
import { freePort } from '@ostiary/test-kit/ports'

const PAGES = new URL('../../../docs/frameworks/', import.meta.url)
/** The ports of the pages: of Ostiary, of the API, and of the application. */
const PORTS = { issuer: '3000', api: '4001', app: '8080' }

export interface FrameworkPage {
  ports: Record<keyof typeof PORTS, number>
  /** The blocks of commands. The last one starts the application. */
  commands: string[]
  files: { path: string; text: string }[]
  /** The entry for `ostiary.config.json`. */
  entry: { oidc: object; clients: object[] }
  /** The last section. */
  goes_wrong: string
  /** The packages of the sentence "Tried with", and their versions, which may leave out the last numbers. */
  tried: { name: string; version: string }[]
}

/**
 * @param name Of the file, without `.md`.
 * @param except The heading of a section that is the other way to do it: it is left out.
 */
export async function readPage(name: string, except?: string): Promise<FrameworkPage> {
  const sections = readFileSync(new URL(`${name}.md`, PAGES), 'utf8').split(/^(?=## )/m)
  const text = sections.filter((section) => !section.startsWith(`## ${except}\n`)).join('')
  const ports = { issuer: await freePort(), api: await freePort(), app: await freePort() }
  const blocks = [...withPorts(text, ports).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', code = '']) => ({ language, code }),
  )
  const of = (language: string) => blocks.filter((block) => block.language === language)
  const [entry] = of('json')
  if (entry === undefined) throw new Error(`${name}.md has no entry of a client`)
  return {
    ports,
    commands: of('sh').map(({ code }) => code),
    files: blocks
      .filter(({ language }) => language !== 'sh' && language !== 'json')
      .map(({ code }) => fileOf(code)),
    entry: JSON.parse(entry.code),
    goes_wrong: text.split('## What goes wrong\n')[1] ?? '',
    tried: triedWith(text),
  }
}

/** The only change of the text. */
function withPorts(text: string, ports: FrameworkPage['ports']): string {
  let changed = text
  for (const name of ['issuer', 'api', 'app'] as const)
    changed = changed.replaceAll(new RegExp(`\\b${PORTS[name]}\\b`, 'g'), `${ports[name]}`)
  return changed
}

/** The comment in the first line names the file. */
function fileOf(code: string): { path: string; text: string } {
  const [, path] = /^(?:\/\/|#|<!--) (\S+)(?: -->)?\n/.exec(code) ?? []
  if (path === undefined)
    throw new Error(`A block begins without the path of its file: ${code.slice(0, 100)}`)
  return { path, text: code }
}

/** In each sentence that begins so. */
function triedWith(text: string): FrameworkPage['tried'] {
  const sentences = [...text.matchAll(/^Tried with ([\s\S]*?)\.$/gm)].map(([, packages = '']) => packages)
  return [...sentences.join().matchAll(/`([^`]+)` (\d[\w.-]*\w|\d)/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }))
}
