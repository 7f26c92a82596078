/** How the image starts the server. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run/processes.js'

const ENTRYPOINT = /^ENTRYPOINT (\[.*\])$/m

/** The flags of Node in the Dockerfile. */
export const DEPLOYED_FLAGS: readonly string[] = flagsIn(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))

function flagsIn(dockerfile: string): string[] {
  const [, command = '[]'] = ENTRYPOINT.exec(dockerfile) ?? []
  const words: string[] = JSON.parse(command)
  return words.filter((word) => word.startsWith('--'))
}
