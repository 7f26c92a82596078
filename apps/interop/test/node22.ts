/** The conformance tool uses what Node 20 does not have. */

import { spawnSync } from 'node:child_process'

const VERSION = '22.23.3'

/** This Node when it is new enough; otherwise one from the npm registry, which npm keeps in its cache. */
export function node22(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const name = `node-${process.platform}-${process.arch}@${VERSION}`
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['--yes', '--prefer-offline', '--package', name, '--call', 'node -p process.execPath'],
    { encoding: 'utf8', timeout: 240_000 },
  )
  if (status === 0) return stdout.trim()
  throw new Error(
    `The conformance tool needs Node 22, and ${name} could not be fetched: run the tests with Node 22. ${stderr ?? ''}`,
  )
}
