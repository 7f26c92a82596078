/** Log lines on their way out: those of one turn of the event loop leave in one write. */

export interface LineWriter {
  /** Takes one line, without its end. */
  write(line: string): void
  /** Now: before the process ends. */
  flush(): void
}

/** @param out Takes whole lines. */
export function lineWriter(out: (text: string) => void): LineWriter {
  let waiting = ''
  const flush = () => {
    const text = waiting
    waiting = ''
    if (text !== '') out(text)
  }
  return {
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += `${line}\n`
    },
    flush,
  }
}
