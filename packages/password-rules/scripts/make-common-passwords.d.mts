/** The words of the package. */
export function commonWords(): string[]
/** The content of the file. */
export function listBytes(words: readonly string[]): Buffer
