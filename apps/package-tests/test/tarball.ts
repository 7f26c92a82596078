import { gunzipSync } from 'node:zlib'

export interface Entry {
  /** The path in the package. */
  path: string
  content: Buffer
}

const BLOCK = 512

/** The files of an npm tarball: ustar, whose names and sizes stand at fixed places of the block before each file. */
export function unpack(tarball: Uint8Array): Entry[] {
  const tar = gunzipSync(tarball)
  const entries: Entry[] = []
  const field = (at: number, length: number) => {
    const bytes = tar.subarray(at, at + length)
    const end = bytes.indexOf(0)
    return bytes.subarray(0, end < 0 ? length : end).toString('utf8')
  }
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const path = [field(at + 345, 155), field(at, 100)].filter(Boolean).join('/')
    const size = Number.parseInt(field(at + 124, 12), 8)
    const type = field(at + 156, 1)
    if (type !== '0' && type !== '') throw new Error(`${path} is no ordinary file: ${type}`)
    const start = at + BLOCK
    entries.push({ path: path.replace(/^package\//, ''), content: tar.subarray(start, start + size) })
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return entries
}
