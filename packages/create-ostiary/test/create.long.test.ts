/** Programs of the templates: with a wrong setting, with an empty one, and that of the template server. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@ostiary/test-kit/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../src/index.ts'
import { codeFlow, startProject, variable } from './_flow.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const ROOT = join(HERE, '../..')
const TSX = createRequire(join(ROOT, 'package.json')).resolve('tsx')
const SERVER = join(ROOT, 'apps/node-server/dist/main.js')
/** In this package, where the imports of the templates resolve. */
const folder = mkdtempSync(join(HERE, '.created-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

describe('a project that is started with a wrong setting', () => {
  /** Runs a program of the project; a variable that is empty stays empty, because an .env file replaces none. */
  const started = (template: 'hono' | 'express', args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, args, {
      cwd: at(`settings-${template}`),
      env: { PATH: process.env.PATH, ...env },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  beforeAll(() => {
    for (const template of ['hono', 'express'] as const)
      createProject({ folder: at(`settings-${template}`), template })
  })

  it.each<['hono' | 'express', string, Record<string, string>]>([
    ['hono', 'ANN_PASSWORD', { OIDC_SECRET: 'x'.repeat(43) }],
    ['hono', 'ANN_PASSWORD', { OIDC_SECRET: 'x'.repeat(43), ANN_PASSWORD: '' }],
    ['hono', 'OIDC_SECRET', { ANN_PASSWORD: 'a password' }],
    ['hono', 'OIDC_SECRET', { ANN_PASSWORD: 'a password', OIDC_SECRET: '' }],
    ['express', 'OIDC_SECRET', { ANN_PASSWORD: 'a password' }],
  ])('%s, without %s: one sentence, without a stack trace, and exit code 1', async (template, name, env) => {
    expect(await started(template, ['--import', TSX, 'server.ts'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${name} is not set: npm start reads it from .env\n`,
    })
  })

  it('an empty PORT and an empty ISSUER are as none', async () => {
    const script = `import('./provider.ts').then(async ({ port, provider }) => {
      const response = await provider.fetch(new Request('http://localhost:3000/.well-known/openid-configuration'))
      console.log(JSON.stringify([port, (await response.json()).issuer]))
    })`
    const args = ['--env-file=.env', '--import', TSX, '--eval', script]
    for (const env of [{}, { PORT: '' }, { PORT: '', ISSUER: '' }]) {
      const { stdout } = await started('hono', args, env)
      expect(JSON.parse(stdout), JSON.stringify(env)).toEqual([3000, 'http://localhost:3000'])
    }
    const { stdout } = await started('hono', args, { PORT: '4000' })
    expect(JSON.parse(stdout)[0]).toBe(4000)
  })
})

it('the template server starts, and ann signs in', async () => {
  const args = [process.execPath, '--env-file=.env', SERVER, 'serve']
  const port = await freePort()
  const {
    folder: path,
    issuer,
    redirect_uri,
  } = createProject({ folder: at('run'), template: 'server', port })
  const stop = await startProject(path, args, issuer)
  try {
    const claims = await codeFlow({ issuer, redirect_uri, password: variable(path, 'ANN_PASSWORD') })
    expect(claims).toMatchObject({ iss: issuer, aud: 'app', name: 'Ann Example' })
    // Clients such as the MCP SDKs for Go and Python ask for it only where it is advertised.
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
    expect(discovery).toMatchObject({ scopes_supported: expect.arrayContaining(['offline_access']) })
  } finally {
    await stop()
  }
})
