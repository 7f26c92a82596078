/** A key that a profile may forbid: its value, whether that is permitted, and which values are. */
export type ProfileRow = readonly [key: string, value: unknown, is_permitted: boolean, permitted: string]
