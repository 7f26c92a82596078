/** Which line had a text first. For files of millions of lines: 48 bytes at most for each text of any length. */

import { hash } from 'node:crypto'

/** Returns the line that has given this text before; null when none has, and then it is this line. */
export type FirstLines = (text: string, line: number) => number | null

const FIRST_PLACES = 1024

/** A hash table with open addressing. 64 bits of SHA-256 stand for a text: among a million, two have the same bits once in 10^7 files. */
export function firstLines(): FirstLines {
  let places = FIRST_PLACES
  let used = 0
  let table = emptyTable(places)

  /** The place of the key, or the free one where it belongs. */
  function placeOf([high, low]: Key): number {
    let place = low % places
    while (table.lines[place] !== 0 && !(table.high[place] === high && table.low[place] === low))
      place = (place + 1) % places
    return place
  }

  function put([high, low]: Key, line: number): void {
    const place = placeOf([high, low])
    table.high[place] = high
    table.low[place] = low
    table.lines[place] = line
  }

  function grow(): void {
    const { high, low, lines } = table
    places *= 2
    table = emptyTable(places)
    for (const [place, line] of lines.entries())
      if (line !== 0) put([high[place] ?? 0, low[place] ?? 0], line)
  }

  return (text, line) => {
    const key = keyOf(text)
    const known = table.lines[placeOf(key)]
    if (known) return known
    used += 1
    if (used > places / 2) grow()
    put(key, line)
    return null
  }
}

type Key = readonly [high: number, low: number]

function keyOf(text: string): Key {
  const bytes = hash('sha256', text, 'buffer')
  return [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
}

/** A line of 0 is a free place. */
const emptyTable = (places: number) => ({
  high: new Uint32Array(places),
  low: new Uint32Array(places),
  lines: new Uint32Array(places),
})
