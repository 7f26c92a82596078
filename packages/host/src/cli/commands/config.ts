import { createRequire } from 'node:module'
import { variables } from '../../config/environment.js'
import { readConfig } from '../../config/read-config.js'
import { hidden, visible } from '../../config/redacted.js'
import { isGroup, readSources } from '../../config/sources.js'
import type { Command } from '../command.js'
import { table } from '../output.js'

export const configPrint: Command = {
  name: 'config print',
  effect: 'reads',
  summary: 'Show the configuration that a server would start with, and the source of each value',
  about: ['Secrets, and passwords in URLs, are hidden. Faults are listed as at a start.'],
  options: { all: { help: 'Show defaults too' } },
  examples: [
    ['ostiary config print', 'All values that are set'],
    ['ostiary config print --all', 'All values'],
  ],
  async run(input, { env, cwd }) {
    const config = await readConfig(env, cwd)
    const { file, keys, settings } = await readSources(env, cwd)
    const rows = variables().flatMap(({ path, default_value, secret }) => {
      const source = settings.find((setting) => setting.path === path)?.variable
      const set = path.split('.').reduce<unknown>((at, key) => (isGroup(at) ? at[key] : undefined), keys)
      if (set === undefined && (!input.flag('all') || default_value === undefined)) return []
      const from = source ?? (set === undefined ? 'default' : 'file')
      const value = visible(set ?? default_value)
      return [{ key: path, value: secret ? hidden(String(set)) : value, from }]
    })
    const { issuer, try_out, storage } = config
    const json = { file, try_out: try_out !== null, issuer, storage: storage.kind, settings: rows }
    const head = [
      file === null ? 'No file.' : `File: ${file}`,
      ...(try_out === null ? [] : ['Try-out mode.']),
      `Issuer: ${issuer}`,
      `Records: ${storage.kind}`,
    ]
    const lines = rows.map(({ key, value, from }) => [key, from, JSON.stringify(value)])
    const values = lines.length === 0 ? 'Nothing is set.' : table(['KEY', 'FROM', 'VALUE'], lines)
    return { text: `${head.join('\n')}\n\n${values}`, json }
  },
}

export const configSchemaCommand: Command = {
  name: 'config schema',
  effect: 'reads',
  summary: 'Print the JSON Schema of the configuration file, for an editor',
  about: [
    'A file that begins with "$schema": "./ostiary.config.schema.json" is then completed and checked by editors.',
  ],
  examples: [
    ['ostiary config schema', 'To be written into ostiary.config.schema.json, beside ostiary.config.json'],
  ],
  async run() {
    const schema: unknown = createRequire(import.meta.url)('@ostiary/host/ostiary.config.schema.json')
    return { text: JSON.stringify(schema, null, 2), json: schema }
  },
}
