/** Puts what was measured between the markers of a document. */

import { readFile, writeFile } from 'node:fs/promises'

/** `<!-- name -->` … `<!-- /name -->`. @throws Error when the markers are not there. */
export function between(document: string, name: string, text: string): string {
  const open = `<!-- ${name} -->`
  const close = `<!-- /${name} -->`
  const start = document.indexOf(open)
  const end = document.indexOf(close)
  if (start === -1 || end < start) throw new Error(`The document has no ${open} … ${close}`)
  return `${document.slice(0, start + open.length)}\n\n${text.trim()}\n\n${document.slice(end)}`
}

export async function writeBetween(file: string, name: string, text: string): Promise<void> {
  await writeFile(file, between(await readFile(file, 'utf8'), name, text))
}
