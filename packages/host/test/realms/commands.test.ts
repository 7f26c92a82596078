/** The commands know the realms of the database: those of one realm, those of all, and an export to another server. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { expect, it } from 'vitest'
import { run } from '../../src/index.ts'
import { SECRET } from '../support.ts'
import { FILE, now, type RealmsPlace, realmsPlace } from './_place.ts'

async function commands({ url }: RealmsPlace, file: object = FILE, more: Record<string, string> = {}) {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
  const ostiary = async (line: string) => {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await run(
      line.split(' '),
      { serve: async () => 0 },
      {
        env: { OIDC_SECRET: SECRET, DATABASE_URL: url, ...more },
        cwd,
        stdin: async () => '',
        out: async (text) => void out.push(text),
        err: (text) => void err.push(text),
      },
    )
    const shown = err.filter((text) => !text.includes('"event":"command.done"'))
    return { code, out: out.join(''), err: shown.join('') }
  }
  return { cwd, ostiary }
}

it('--realm names one, and an unknown or deleted one is an error', async () => {
  const place = await realmsPlace()
  await place.make('acme')
  await place.make('gone')
  await place.store.remove('gone', { version: 1 }, now())
  const { ostiary } = await commands(place)
  const created = await ostiary('client create --realm acme --id app --redirect-uri https://app.example/cb')
  expect(created).toMatchObject({ code: 0, err: '' })
  expect(await place.stores.storage('acme').clients.find('app')).toMatchObject({ client_id: 'app' })
  for (const realm of ['gone', 'none']) {
    const refused = await ostiary(`client list --realm ${realm}`)
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain(`There is no realm ${realm}`)
  }
})

it('without the key, the realms of the database are unknown', async () => {
  const place = await realmsPlace()
  await place.make('acme')
  const { ostiary } = await commands(place, { ...FILE, realms_at_run_time: false })
  expect((await ostiary('client list --realm acme')).err).toContain('There is no realm acme')
})

it('a command uses the settings of the realm', async () => {
  const place = await realmsPlace()
  await place.make('acme', { oidc: { clients: { default_scopes: ['openid'] }, profile: 'fapi2' } })
  const { ostiary } = await commands(place)
  const refused = await ostiary('client create --realm acme --id app --redirect-uri https://app.example/cb')
  expect(refused.code).not.toBe(0)
  expect(refused.err).toContain('fapi2')
})

it('commands for all realms work in them, too', async () => {
  const place = await realmsPlace()
  await place.make('acme')
  const { ostiary } = await commands(place)
  expect((await ostiary('keys rotate --realm acme')).code).toBe(0)
  const next = { OIDC_SECRET: 'another-secret-of-the-tests-is-long', OIDC_SECRET_PREVIOUS: SECRET }
  const rotated = await (await commands(place, FILE, next)).ostiary('secret rotate --json')
  expect(rotated).toMatchObject({ code: 0, err: '' })
  expect(rotated.out).toContain('acme')
  const checked = await ostiary('doctor --offline')
  expect(checked.out).toContain('acme')
})

it('an export carries the settings, and an import makes the realm', async () => {
  const place = await realmsPlace()
  const settings = { oidc: { claims_supported: ['sub', 'color'] }, identity: { second_factor: 'optional' } }
  await place.make('acme', settings)
  await place.stores.storage('acme').clients.create(clientRecord())
  const source = await commands(place)
  const { code, out } = await source.ostiary('export --realm acme')
  expect(code).toBe(0)
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ realm: 'acme', settings })
  const target = await realmsPlace()
  const { cwd, ostiary } = await commands(target)
  await writeFile(join(cwd, 'acme.jsonl'), out)
  expect(await readFile(join(cwd, 'acme.jsonl'), 'utf8')).toBe(out)
  expect(await ostiary('import acme.jsonl --plan')).toMatchObject({ code: 0 })
  expect(await target.store.find('acme')).toBeNull()
  expect(await ostiary('import acme.jsonl')).toMatchObject({ code: 0, err: '' })
  expect(await target.store.find('acme')).toMatchObject({ settings, version: 1 })
  expect(await target.stores.storage('acme').clients.find('app')).not.toBeNull()
  // Again, into a realm that is there: its settings stay.
  await target.store.replace('acme', { settings: {}, version: 1 }, now())
  expect((await ostiary('import acme.jsonl')).code).toBe(0)
  expect(await target.store.find('acme')).toMatchObject({ settings: {} })
  // The id of a deleted realm is not used again.
  await target.store.remove('acme', { version: 2 }, now())
  expect((await ostiary('import acme.jsonl')).err).toContain('its id is not used again')
  expect((await ostiary('import acme.jsonl --realm acme-2')).code).toBe(0)
  expect(await target.store.find('acme-2')).toMatchObject({ settings })
})

it('settings that do not fit here are named, and nothing is imported', async () => {
  const place = await realmsPlace()
  await place.make('acme', { oidc: { clients: { default_scopes: ['color'] } } })
  const withColor = { ...FILE, oidc: { ...FILE.oidc, scopes: { color: {} } } }
  const source = await commands(place, withColor)
  const { out } = await source.ostiary('export --realm acme')
  const target = await realmsPlace()
  const { cwd, ostiary } = await commands(target)
  await writeFile(join(cwd, 'acme.jsonl'), out)
  const refused = await ostiary('import acme.jsonl')
  expect(refused.code).not.toBe(0)
  expect(refused.err).toContain('settings.oidc.clients.default_scopes: there is no scope')
  expect(await target.store.find('acme')).toBeNull()
})
