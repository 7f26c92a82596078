/** Texts for a terminal. */

/** A table with a header; each column is as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A table of numbers by their names. */
export const countTable = (
  head: readonly [string, string],
  counts: Readonly<Record<string, number>>,
): string =>
  table(
    head,
    Object.entries(counts).map(([name, count]) => [name, String(count)]),
  )

/** One line for each field: its name and its value. */
export function record(fields: readonly (readonly [string, string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
}

/** One line of numbers by their names. */
export const countLine = (label: string, counts: Readonly<Record<string, number>>): string =>
  `${label}: ${Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`

/** The names of the changed fields. */
export const changeLine = (changed: readonly string[]): string =>
  changed.length === 0 ? 'Nothing changed' : `Changed: ${changed.join(', ')}`

/** A time in ISO 8601; `-` for null. */
export const iso = (seconds: number | null): string =>
  seconds === null ? '-' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Without control characters: a text that a user or a client wrote must not control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
