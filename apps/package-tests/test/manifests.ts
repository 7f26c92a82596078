import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The fields of a `package.json` that are used here. */
export interface Manifest {
  name: string
  version: string
  private?: boolean
  keywords?: string[]
  bin?: Record<string, string>
  exports?: Record<string, string | Record<string, string>>
  imports?: Record<string, Record<string, string>>
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  packageManager?: string
  engines?: Record<string, string>
}

/** Undefined where there is none. */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** The package manager, in the version of this repository. */
export const PNPM = ['npx', '-y', readManifest(ROOT)?.packageManager ?? 'pnpm']

/** Without the variables of a script runner: npx and git use the folder, not the parent process. */
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|pnpm_|GIT_)/i.test(name)),
)

/** @returns What the command prints. @throws with its output unless it ends with 0 within two minutes. */
export async function sh(cwd: string, [command = '', ...args]: string[]): Promise<string> {
  const options = { cwd, env: clean, timeout: 120_000, maxBuffer: 8 * 1024 * 1024 }
  return promisify(execFile)(command, args, options).then(
    ({ stdout }) => stdout,
    ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) => {
      const end = code === null ? 'did not end in time' : `ended with ${code}`
      throw new Error(`${command} ${args.join(' ')} ${end}\n${stdout}\n${stderr}`)
    },
  )
}
