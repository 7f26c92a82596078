/** The text of an argon2 hash. */

export interface Argon2Hash {
  variant: string
  version: number
  /** In KiB. */
  memory: number
  passes: number
  lanes: number
}

/** As argon2 writes it. */
const PATTERN = /^\$argon2(id|i|d)\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

/** Null for another text. */
export function parseArgon2Hash(text: string): Argon2Hash | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [, variant = '', version, memory, passes, lanes] = match
  return {
    variant,
    version: Number(version),
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
  }
}
