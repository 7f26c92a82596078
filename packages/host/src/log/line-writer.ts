/** Writes the log lines of one turn of the event loop together. */

export interface LineWriter {
  /** @param line Without a line break. */
  write(line: string): void
  /** Writes at once, before the process ends. */
  flush(): void
}

/** @param out Called with whole lines. */
export function lineWriter(out: (text: string) => void): LineWriter {
  let pending = ''
  const flush = () => {
    const text = pending
    pending = ''
    if (text !== '') out(text)
  }
  return {
    write(line) {
      if (pending === '') setImmediate(flush)
      pending += `${line}\n`
    },
    flush,
  }
}
