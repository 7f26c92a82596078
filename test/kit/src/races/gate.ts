/** One side of a race is held open, while the other side runs. */

export interface Gate {
  /** Resolves when one side waits at the gate. */
  reached: Promise<void>
  /** For the side that is held: resolves when the gate is open. */
  pass(): Promise<void>
  open(): void
}

export function gate(): Gate {
  let reach = () => {}
  let open = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    reached,
    pass() {
      reach()
      return opened
    },
    open: () => open(),
  }
}
