/** Writes a project into an empty folder. */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEMPLATES, type TemplateName } from './templates.js'

/** The options of `createProject`. */
export interface ProjectOptions {
  /** The folder of the project; it is created, or must be empty. */
  folder: string
  /** What the project begins with; `hono` when absent. */
  template?: TemplateName
  /** The origin of the application that signs users in, without a path; `http://localhost:8080` when absent. */
  client_url?: string
  /** The port of the server; 3000 when absent. */
  port?: number
}

/** What was written. */
export interface Project {
  /** The absolute path. */
  folder: string
  /** The files in it, sorted. */
  files: string[]
  issuer: string
  redirect_uri: string
}

/** An option is wrong, or the folder is not empty. The message says what to do; nothing was written. */
export class ProjectError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProjectError'
  }
}

const SOURCES = fileURLToPath(new URL('../templates/', import.meta.url))
/** In every file of a template, these are what the options replace. */
const DEFAULT_CLIENT_URL = 'http://localhost:8080'
const DEFAULT_PORT = 3000

/**
 * Writes the project. The secrets in its `.env` are random, readable by its owner only, and ignored by Git.
 * @throws ProjectError
 *
 * @example
 * ```ts
 * import { createProject } from 'create-ostiary'
 *
 * createProject({ folder: 'my-id', template: 'hono', client_url: 'http://localhost:5173' })
 * ```
 */
export function createProject(options: ProjectOptions): Project {
  const { template: name = 'hono', port = DEFAULT_PORT } = options
  const folder = resolve(options.folder)
  const client_url = originOf(options.client_url ?? DEFAULT_CLIENT_URL)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new ProjectError('--port: give a number from 1 to 65535')
  requireEmpty(folder)
  const project_name = packageName(options.folder === '.' ? folder : options.folder)
  const issuer = `http://localhost:${port}`
  const fill = (text: string) =>
    text
      .replaceAll(DEFAULT_CLIENT_URL, client_url)
      .replaceAll(`http://localhost:${DEFAULT_PORT}`, issuer)
      .replaceAll('my-id', project_name)
  const files = new Map<string, string>([['package.json', manifest(project_name, name, port)]])
  // npm leaves a .gitignore out of a package.
  for (const source of TEMPLATES[name].folders)
    for (const file of filesIn(join(SOURCES, source)))
      files.set(
        file === 'gitignore' ? '.gitignore' : file,
        fill(readFileSync(join(SOURCES, source, file), 'utf8')),
      )
  files.set('.env', environment(TEMPLATES[name].port_in === '.env' ? `PORT=${port}\n` : ''))
  for (const [file, text] of files) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx', ...(file === '.env' && { mode: 0o600 }) })
  }
  return { folder, files: [...files.keys()].sort(), issuer, redirect_uri: `${client_url}/callback` }
}

/** The paths of all files below, with slashes. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesIn(join(folder, entry.name)).map((file) => `${entry.name}/${file}`)
      : [entry.name],
  )

function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new ProjectError(`${folder} is a file: name a folder`)
  if (readdirSync(folder).some((file) => file !== '.git'))
    throw new ProjectError(`${folder} is not empty: name a new folder. Nothing was written.`)
}

/** https, or http on this machine: the provider accepts no other redirect URI of an application. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin)
    throw new ProjectError('--client-url: give an origin without a path, such as http://localhost:8080')
  return url.origin
}

/** The last part of the path, in the letters that npm allows. */
export function packageName(folder: string): string {
  const last = folder.split(/[\\/]/).filter(Boolean).at(-1) ?? ''
  const letters = last.toLowerCase().replace(/[^a-z0-9._-]/gu, '-')
  return letters.replace(/^[._-]/, 'x') || 'my-id'
}

/** The version of this package: all packages of a release have one. */
const ownVersion = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

function manifest(name: string, template: TemplateName, port: number): string {
  const { ours, scripts, devDependencies, allowScripts, ...rest } = TEMPLATES[template]
  const dependencies = { [ours]: `^${ownVersion()}`, ...rest.dependencies }
  const engines = { node: '>=20.19.0' }
  const fields = { name, version: '0.0.0', private: true, type: 'module', engines, scripts, dependencies }
  const text = JSON.stringify({ ...fields, devDependencies, allowScripts }, null, 2)
  return `${text.replaceAll('<port>', `${port}`)}\n`
}

const environment = (
  port: string,
): string => `# Secrets of this project. Git ignores this file: never commit it.
OIDC_SECRET=${randomBytes(32).toString('base64url')}
ANN_PASSWORD=${randomBytes(15).toString('base64url')}
${port}`
