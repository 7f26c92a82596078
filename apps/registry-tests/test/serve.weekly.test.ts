/** `pnpm registry` leaves nothing behind when a signal ends it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TSX = createRequire(join(ROOT, 'package.json')).resolve('tsx')
const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url))

it('SIGTERM ends the registry, and removes its folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['--import', TSX, SERVE], { env: { ...process.env, TMPDIR: folder } })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  await eventually(() => Promise.resolve(output.includes('In another terminal')), { seconds: 600 })
  const [, url = ''] = /npm_config_registry=(\S+)/.exec(output) ?? []
  expect((await fetch(`${url}/-/ping`)).status).toBe(200)
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  await expect(fetch(`${url}/-/ping`)).rejects.toThrow()
  expect(readdirSync(folder).filter((name) => name.startsWith('ostiary-'))).toEqual([])
})
