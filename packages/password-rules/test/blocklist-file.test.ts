import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocklistLines, MAX_BLOCKLIST_BYTES } from '../src/index.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-blocklist-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function linesOf(content: string | Uint8Array) {
  const path = join(folder, 'blocklist.txt')
  await writeFile(path, content)
  return blocklistLines(path)
}

describe('a file of passwords', () => {
  it.each([
    ['one a line', 'acme rocket\nacme-2026\n', ['acme rocket', 'acme-2026']],
    ['with the ends of Windows', 'acme rocket\r\nacme-2026', ['acme rocket', 'acme-2026']],
    ['with empty lines', '\n\nacme\n\r\n', ['acme']],
    ['with spaces and #, which belong to them', ' acme \n#1 fan', [' acme ', '#1 fan']],
    ['with a mark of the byte order', '\ufeffacme', ['acme']],
    ['in another alphabet', 'пароль\n密码😀', ['пароль', '密码😀']],
  ])('%s', async (_, content, expected) => {
    expect(await linesOf(content)).toEqual(expected)
  })

  it('has 1 MiB at most', async () => {
    expect(await linesOf('a'.repeat(MAX_BLOCKLIST_BYTES))).toHaveLength(1)
    await expect(linesOf('a'.repeat(MAX_BLOCKLIST_BYTES + 1))).rejects.toThrow(
      'is larger than 1048576 bytes: keep the most common passwords',
    )
  })

  it.each([
    ['empty', '', 'has no password: write one a line, or remove the key'],
    ['of empty lines', '\n\r\n', 'has no password'],
    ['in Latin-1', Uint8Array.of(0x70, 0xe9, 0x0a), 'is not in UTF-8: convert it'],
  ])('that is %s is a fault', async (_, content, message) => {
    await expect(linesOf(content)).rejects.toThrow(message)
  })

  it('that cannot be read is a fault with its path', async () => {
    const path = join(folder, 'missing.txt')
    await expect(blocklistLines(path)).rejects.toThrow(
      `blocklist_file: ${path} cannot be read (ENOENT): correct the path`,
    )
    await expect(blocklistLines(folder)).rejects.toThrow('cannot be read (EISDIR): give a file')
  })

  it('that never ends is read up to its limit', async () => {
    await expect(blocklistLines('/dev/zero')).rejects.toThrow('is larger than 1048576 bytes')
  })
})
