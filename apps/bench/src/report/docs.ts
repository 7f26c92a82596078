/** Puts what was measured between the markers of a document. */

import { readFile, writeFile } from 'node:fs/promises'

interface Place {
  start: number
  end: number
}

/** Where the text between `<!-- name -->` and `<!-- /name -->` is. @throws Error when the markers are not there. */
function placeOf(document: string, name: string): Place {
  const open = `<!-- ${name} -->`
  const close = `<!-- /${name} -->`
  const start = document.indexOf(open)
  const end = document.indexOf(close)
  if (start === -1 || end < start) throw new Error(`The document has no ${open} … ${close}`)
  return { start: start + open.length, end }
}

export function textBetween(document: string, name: string): string {
  const { start, end } = placeOf(document, name)
  return document.slice(start, end)
}

export function between(document: string, name: string, text: string): string {
  const { start, end } = placeOf(document, name)
  return `${document.slice(0, start)}\n\n${text.trim()}\n\n${document.slice(end)}`
}

export async function writeBetween(file: string, name: string, text: string): Promise<void> {
  await writeFile(file, between(await readFile(file, 'utf8'), name, text))
}
