/** The command line: asks nothing, takes a folder and flags. */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createProject, ProjectError } from './project.js'
import { TEMPLATES, type TemplateName } from './templates.js'

export interface Surroundings {
  cwd: string
  /** The version of Node. */
  node: string
  print(text: string): void
  fail(text: string): void
}

const NAMES = Object.keys(TEMPLATES) as TemplateName[]

const HELP = `npm create ostiary <folder> -- [options]

  --template <name>      hono when absent:
${NAMES.map((name) => `    ${name}: ${TEMPLATES[name].description}`).join('\n')}
  --client-url <origin>  your application, which signs users in (http://localhost:8080 when absent)
  --port <number>        the port of the server (3000 when absent)
  --help                 this text`

/** Runs the command. @returns The exit code. */
export function run(args: string[], { cwd, node, print, fail }: Surroundings): number {
  if (node.localeCompare('20.19', 'en', { numeric: true }) < 0) {
    fail(`Ostiary needs Node 20.19 or later. This is ${node}.`)
    return 1
  }
  try {
    print(answer(args, cwd))
    return 0
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error
    // Not the whole help, which would scroll the fault away.
    fail(`${error.message}\n\nnpm create ostiary -- --help shows what it takes.`)
    return 2
  }
}

function answer(args: string[], cwd: string): string {
  const { values, positionals } = parsed(args)
  if (values.help) return HELP
  const [folder, more] = positionals
  if (folder === undefined)
    throw new ProjectError('Name one folder for the project, as in npm create ostiary my-id.')
  // Without --, npm takes the names of options and leaves their values.
  const name = values.template === undefined && NAMES.find((known) => positionals.includes(known))
  if (name || more !== undefined)
    throw new ProjectError(
      `npm has kept an option: use npm create ostiary <folder> -- ${name ? `--template ${name}` : '--port 3001'}`,
    )
  const template = NAMES.find((name) => name === (values.template ?? 'hono'))
  if (!template) throw new ProjectError(`--template: give ${NAMES.join(', ')}`)
  const project = createProject({
    folder: resolve(cwd, folder),
    template,
    ...(values['client-url'] !== undefined && { client_url: values['client-url'] }),
    ...(values.port !== undefined && { port: Number(values.port) }),
  })
  return `Created ${project.folder} from the template ${template}. Next:

  cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder}
  npm install
  ${TEMPLATES[template].start}

The issuer is then ${project.issuer}. Your application is the client "app" without a secret (PKCE), with the redirect URI
${project.redirect_uri}. Sign in as ann; the password is in .env (ANN_PASSWORD).`
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { template: text, 'client-url': text, port: text, help: { type: 'boolean' } },
    })
  } catch (error) {
    throw new ProjectError((error as Error).message)
  }
}
