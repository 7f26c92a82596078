/** On a Node that is too old, the server says which one it needs: nothing that an old Node cannot load stands before that. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../../node-server/dist/main.js', import.meta.url))

/** Runs the program with another version of Node in `process.versions`. */
const versionOn = (node: string) =>
  new Promise<unknown[]>((resolve) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, MAIN, '--version']
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve([error?.code ?? 0, stdout.trim() !== '', stderr]),
    )
  })

it('imports nothing before it knows the version', () => {
  expect(readFileSync(MAIN, 'utf8')).not.toMatch(/^import|\bfrom"/m)
})

it.each(['18.20.8', '20.9.0', '20.18.3'])('Node %s is too old', async (node) => {
  expect(await versionOn(node)).toEqual([1, false, `Ostiary needs Node 20.19 or later. This is ${node}.\n`])
})

it.each(['20.19.0', '22.1.0', '26.0.0'])('Node %s is not', async (node) => {
  expect(await versionOn(node)).toEqual([0, true, ''])
})
