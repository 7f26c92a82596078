import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServerProcess, startTestServer } from '@ostiary/test-kit/server'
import { expect } from 'vitest'
import { demoSignIn } from './demo-sign-in.ts'

/** Starts in the folder, signs in with the password that is printed or stored, and stops. */
export async function worksIn(DATA_DIR: string, more: { port?: number } = {}): Promise<ServerProcess> {
  const server = await startTestServer({ env: { DATA_DIR }, ...more })
  const { password } = JSON.parse(await readFile(join(DATA_DIR, 'try-out.json'), 'utf8'))
  expect(await demoSignIn(server.issuer, password)).toMatchObject({ email: 'demo@example.com' })
  expect(await server.stop()).toMatchObject({ code: 0 })
  return server
}
