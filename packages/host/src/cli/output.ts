/** Texts for a terminal. */

type Row = readonly string[]

/** A table with a header; each column is as wide as its widest cell. */
export const table = (head: Row, rows: readonly Row[]): string => record([head, ...rows])

/** The same for cells that a user or a client may have written. The first row is the header. */
export const printableTable = (rows: readonly Row[]): string => record(rows.map((row) => row.map(printable)))

/** A table of numbers by their names. */
export const countTable = (
  head: readonly [string, string],
  counts: Readonly<Record<string, number>>,
): string =>
  table(
    head,
    Object.entries(counts).map(([name, count]) => [name, String(count)]),
  )

/** One line for each row, such as a field's name and its value. */
export function record(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: Row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** One line of numbers by their names. */
export const countLine = (label: string, counts: Readonly<Record<string, number | string>>): string =>
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
