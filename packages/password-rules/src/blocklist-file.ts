/** The operator's own list: a text file with one password a line. */

import { ConfigError } from '@ostiary/core/common'

/** The largest file that is read. Its lines stay in memory. */
export const MAX_BLOCKLIST_BYTES = 1_048_576

/**
 * Reads a file of passwords in UTF-8, one a line, for `also_refused` of `passwordRules`. Empty lines are left out; nothing is trimmed but
 * the ends of lines, and there are no comments. It needs `node:fs`.
 * @throws ConfigError when the file cannot be read, is larger than 1 MiB, is not UTF-8 or has no password.
 */
export async function blocklistLines(path: string): Promise<string[]> {
  const lines = textOf(await read(path), path).split('\n')
  const passwords = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)).filter(Boolean)
  if (passwords.length === 0) throw fault(path, 'has no password: write one a line, or remove the key')
  return passwords
}

/** Reads a byte more than is allowed at most: the file may be a device without an end. */
async function read(path: string): Promise<Uint8Array> {
  const { open } = await import('node:fs/promises')
  const file = await open(path).catch((error: unknown) => {
    throw fault(path, `cannot be read (${codeOf(error)}): correct the path, or let the server read the file`)
  })
  try {
    const bytes = new Uint8Array(MAX_BLOCKLIST_BYTES + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, null)
      if (bytesRead === 0) return bytes.subarray(0, length)
      length += bytesRead
    }
  } catch (error) {
    throw fault(path, `cannot be read (${codeOf(error)}): give a file`)
  } finally {
    await file.close()
  }
  throw fault(path, `is larger than ${MAX_BLOCKLIST_BYTES} bytes: keep the most common passwords`)
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fault(path, 'is not in UTF-8: convert it')
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? error)

const fault = (path: string, what: string) =>
  new ConfigError({ path: 'blocklist_file', message: `${path} ${what}` })
