import { readFileSync } from 'node:fs'

/** The package of the program is one folder above the bundle, or two above this file. All packages have one version. */
const PLACES = ['../package.json', '../../package.json']

/** The version of the program. */
export function programVersion(): string {
  for (const place of PLACES) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'))
      if (String(name).startsWith('@ostiary/')) return String(version)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') throw error
    }
  }
  return 'unknown'
}
