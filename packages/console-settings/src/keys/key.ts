/** A signing key as the API shows it, and what it does now. */

export interface ShownKey {
  kid: string
  alg: string
  /** Epoch seconds. */
  created_at: number
  signs_from: number
}

export interface ListedKeys {
  items: readonly ShownKey[]
}

/** `signs`: new tokens. `waits`: published, and signs later. `rests`: what it has signed is still accepted. */
export type KeyState = 'signs' | 'waits' | 'rests'

/** Of each algorithm, the newest key whose time has come signs. @param now Epoch seconds. */
export function stateOf(key: ShownKey, keys: readonly ShownKey[], now: number): KeyState {
  if (key.signs_from > now) return 'waits'
  const is_followed = keys.some(
    (other) => other.alg === key.alg && other.signs_from <= now && other.signs_from > key.signs_from,
  )
  return is_followed ? 'rests' : 'signs'
}
