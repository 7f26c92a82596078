/** Prometheus and promtool of Debian, unpacked into a cache folder: nothing is installed, and no service starts. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { succeeds } from './debian.ts'
import { freePort } from './ports.ts'

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ostiary-prometheus')

/** The path of a program; from PATH, the cache, or Debian's package. @throws Error that says what to install. */
function program(name: 'prometheus' | 'promtool'): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(CACHE, 'usr/bin')].filter(Boolean)
  const find = () => folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  const file = find() ?? (unpackDebian() ? find() : undefined)
  if (file === undefined) throw new Error(`no ${name}: install it (Debian: apt-get install prometheus)`)
  return file
}

function unpackDebian(): boolean {
  mkdirSync(dirname(CACHE), { recursive: true })
  const work = mkdtempSync(`${CACHE}-`)
  const download = () =>
    spawnSync('apt-get', ['-qq', 'download', 'prometheus'], { cwd: work, stdio: 'ignore', timeout: 300_000 })
      .status === 0
  try {
    if (!download() && !(succeeds('apt-get', '-qq', 'update') && download())) return false
    const [deb = ''] = readdirSync(work)
    return succeeds('dpkg-deb', '-x', join(work, deb), CACHE)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Runs promtool in a folder. @returns Its exit code and its output. */
export function promtool(cwd: string, ...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program('promtool'), args, { cwd, encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}

export interface Prometheus {
  /** The alerts that fire now, each as its name and its label `part` if it has one. */
  firing(): Promise<string[]>
  /** @returns The status of the answer: `success`, or `error` when the expression is wrong. */
  query(expression: string): Promise<string>
  stop(): Promise<void>
}

export interface PrometheusOptions {
  /** A new folder. */
  folder: string
  /** The text of a rule file. */
  rules: string
  /** The port of /metrics on this machine. */
  target: number
}

/** Starts one that scrapes and evaluates every second. Resolves when it is ready. */
export async function startPrometheus({ folder, rules, target }: PrometheusOptions): Promise<Prometheus> {
  const config = `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: ostiary
    static_configs: [{ targets: ["127.0.0.1:${target}"] }]
`
  await writeFile(join(folder, 'rules.yml'), rules)
  await writeFile(join(folder, 'prometheus.yml'), config)
  const port = await freePort()
  const child = spawn(
    program('prometheus'),
    [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const api = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return (await response.json()) as { status: string; data: { alerts: PrometheusAlert[] } }
  }
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) if (child.exitCode !== null) throw new Error('prometheus does not start')
  return {
    async firing() {
      const { data } = await api('/api/v1/alerts')
      return data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels: { alertname, part } }) => (part === undefined ? alertname : `${alertname} ${part}`))
    },
    query: async (expression) => (await api(`/api/v1/query?query=${encodeURIComponent(expression)}`)).status,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

interface PrometheusAlert {
  state: string
  labels: { alertname: string; part?: string }
}
