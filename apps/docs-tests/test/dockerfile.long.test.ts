/** The Dockerfile's instructions, carried out in a folder: no container engine runs where the tests run. */

import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'
import { start } from './shell.ts'

const run = promisify(execFile)

/** The instructions of the file, with continued lines joined. */
async function instructions(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

it('builds a server that starts, and whose health check fails when it does not answer', async () => {
  const root = await temporaryFolder()
  const source = join(root, 'src')
  await mkdir(source)
  const lines = await instructions()
  const from = lines.indexOf('FROM node AS build')
  const stage = lines.slice(from + 1, lines.indexOf('FROM node'))
  const env = { ...process.env, CI: 'true' }
  for (const line of stage) {
    const [instruction, ...words] = line.split(' ')
    if (instruction === 'COPY') await copy(words, source)
    // /app of the image is a folder beside the sources here.
    if (instruction === 'RUN')
      await run('sh', ['-c', words.join(' ').replace(/\/app$/, `${root}/app`)], { cwd: source, env })
  }

  const port = await freePort()
  const main = join(root, 'app/dist/main.js')
  const server = start(`exec node ${main} serve`, {
    cwd: root,
    env: { PORT: `${port}`, DATA_DIR: join(root, 'data') },
  })
  await server.says('"msg":"listening"')
  const [, script = ''] =
    /HEALTHCHECK .*CMD \["bash", "-c", +"(.*)"\]$/.exec(
      lines.join('\n').match(/HEALTHCHECK .*/)?.[0] ?? '',
    ) ?? []
  const check = () =>
    run('bash', ['-c', script.replaceAll('\\\\', '\\')], { env: { PORT: `${port}` } }).then(
      () => 'healthy',
      () => 'unhealthy',
    )
  expect(await check()).toBe('healthy')
  await server.stop()
  expect(await check()).toBe('unhealthy')
}, 300_000)

/** Only tracked files: node_modules and dist are in .dockerignore. */
async function copy(words: string[], target: string): Promise<void> {
  const destination = words.at(-1) ?? ''
  const { stdout } = await run('git', ['ls-files', '-z', ...words.slice(0, -1)], { cwd: ROOT })
  for (const file of stdout.split('\0').filter(Boolean)) {
    const [only] = words
    const inFolder = words.length === 2 && only !== undefined && file.startsWith(`${only}/`)
    const name = inFolder
      ? join(destination, file.slice(`${only}`.length))
      : join(destination, file.split('/').at(-1) ?? '')
    await cp(join(ROOT, file), join(target, name), { recursive: true })
  }
}
