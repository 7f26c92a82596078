/** Lints an OpenAPI document with `@redocly/cli`, as a process that has no network. */

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'

/** Each connection ends the process, with its address. */
const NO_NETWORK = `
  import { Socket } from 'node:net'
  Socket.prototype.connect = (...where) => {
    console.error('NETWORK', JSON.stringify(where))
    process.exit(99)
  }`

const PROGRAM = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** What the linter has found: its exit code, and each problem. */
export interface LintResult {
  code: number | string
  /** Of JSON: `rule: message`, with `warn` or `error` before it. */
  problems: string[]
  /** Everything that it has written. */
  output: string
}

/** @param paths Of the document and of the configuration. */
export function lint(paths: { document: string; config: string }): Promise<LintResult> {
  const preload = `data:text/javascript,${encodeURIComponent(NO_NETWORK)}`
  const args = ['--import', preload, PROGRAM, 'lint', paths.document]
  const options = {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 2 ** 24,
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args, '--config', paths.config, '--format', 'json'],
      options,
      (error, out, err) =>
        resolve({ code: error?.code ?? 0, problems: problemsOf(out), output: `${out}\n${err}` }),
    )
  })
}

interface Report {
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[]
}

function problemsOf(output: string): string[] {
  if (!output.startsWith('{')) return []
  const { problems } = JSON.parse(output) as Report
  return problems.map(
    ({ ruleId, severity, message, location }) =>
      `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  )
}
