/** docs/remote-commands.md: its commands sign an administrator in, by a browser and on another device, and out. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { givePasskey, withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { person } from '@ostiary/test-kit/person'
import { launch, run, SECRET, startTestServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { fencesOf, ROOT } from './fences.ts'

const PAGE = 'docs/remote-commands.md'
const SERVER = 'https://id.example.com'

const blocks = (language: string) => fencesOf(PAGE).filter((fence) => fence.language === language)

/** The server of the page, and ann, whom its command has made an owner. */
async function place() {
  const url = await migratedDatabase(onTestFinished)
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  const { oidc, ...file } = JSON.parse(blocks('json')[0]?.code ?? '')
  const config = (port: number) => ({
    ...file,
    app: { url: `http://localhost:${port}` },
    oidc: { ...oidc, clients: { device_authorization: 'operator' } },
  })
  const env = { OIDC_SECRET: SECRET, DATABASE_URL: url }
  const { issuer, port } = await startTestServer({ config, env })
  const made = await run({ args: 'admin bootstrap ann'.split(' '), config: config(port), env })
  expect(made).toMatchObject({ code: 0 })
  const { users, factors } = postgresStores(executor)
  const stores = { users: users('default'), factors: factors('default') }
  const ann = await stores.users.findByUsername('ann')
  return { issuer, passkey: await givePasskey(stores, ann?.sub ?? '') }
}

it('the commands sign in, list, sign in on a device, send a request and sign out', async () => {
  const { issuer, passkey } = await place()
  const env = { XDG_CONFIG_HOME: await temporaryFolder() }
  const here = (text: string) => text.replaceAll(SERVER, issuer)
  const [login = '', list = '', device = '', logout = '', plan = ''] = blocks('sh').map(({ code }) =>
    here(code.trim()),
  )
  const start = (line: string) => launch({ args: line.split(' ').slice(1), env })
  const shown = async (line: string, pattern: RegExp) => {
    const { output, exited } = await start(line)
    const found = await eventually(() => pattern.exec(output.stderr) ?? false)
    return { found, exited }
  }
  const browser = person(issuer, { accept: 'text/html' })

  const signing = await shown(login, /^(http\S+)$/m)
  const page = await browser.open(signing.found[1] ?? '')
  const asked = await withPasskey(browser, page, { passkey, origin: issuer })
  await fetch((await browser.submit(asked)).url)
  expect(await signing.exited).toMatchObject({ code: 0, stdout: `Signed in to ${issuer} as ann\n` })

  expect((await (await start(list)).exited).stdout).toMatch(/ {2}ann {2}/)

  const redirect = '--redirect-uri https://notes.example.com/callback'
  await (await start(`ostiary client create --id notes --name Notes ${redirect} --server ${issuer}`)).exited
  // As a shell reads it.
  const words = plan.replace(/"([^"]*)"/, (_quoted, text: string) => text.replaceAll(' ', '\0')).split(' ')
  const args_of_plan = words.slice(1).map((word) => word.replaceAll('\0', ' '))
  const planned = await launch({ args: args_of_plan, env })
  expect(await planned.exited).toMatchObject({ code: 0, stdout: blocks('text')[0]?.code })

  const entering = await shown(device, /^Enter the code (\S+) at (\S+)$/m)
  const [, user_code = '', address = ''] = entering.found
  const confirm = await browser.submit(await browser.open(address), { user_code })
  await browser.submit(confirm, { answer: 'allow' })
  expect(await entering.exited).toMatchObject({ code: 0 })

  const [program] = blocks('ts')
  const options = { cwd: `${ROOT}/apps/docs-tests`, env: { ...process.env, ...env } }
  const args = ['--input-type=module', '-e', here(program?.code ?? '')]
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  expect(stdout).toContain("client_id: 'ostiary-cli'")

  expect(await (await start(logout)).exited).toMatchObject({ code: 0, stdout: `Signed out of ${issuer}\n` })
}, 300_000)
