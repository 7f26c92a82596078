import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@ostiary/host'
import { SECRET } from '@ostiary/test-kit/server'
import { emptyFolder } from './shell.ts'

/** What the server reads from an entry of a page, with an issuer and the secrets. */
export async function configured(entry: string) {
  const cwd = await emptyFolder()
  const file = { app: { url: 'https://id.example.com' }, ...JSON.parse(entry) }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
  const secrets = [...entry.matchAll(/"client_secret_env": "(\w+)"/g)].map(([, name = '']) => [name, SECRET])
  return readConfig({ OIDC_SECRET: SECRET, ...Object.fromEntries(secrets) }, cwd)
}
