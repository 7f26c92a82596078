/** The commands `keys` and `doctor` for a realm with keys of several algorithms. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyInfo, SigningAlgorithm } from '@ostiary/core'
import { postgresExecutor, postgresStorage } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../src/index.ts'

const SECRET = 'only-for-tests-only-for-tests-only-for-tests'

let place: { url: string; executor: ReturnType<typeof postgresExecutor> }
beforeAll(async () => {
  const url = await migratedDatabase(afterAll)
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  place = { url, executor }
  afterAll(() => executor.close())
})

async function ostiary(line: string, algorithms: SigningAlgorithm[], database = place.url) {
  const cwd = await temporaryFolder()
  const oidc = { issuer: 'https://id.example.com', keys: { algorithms } }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify({ oidc }))
  const [out, err]: [string[], string[]] = [[], []]
  const code = await run(
    line.split(' '),
    { serve: async () => 0 },
    {
      env: { OIDC_SECRET: SECRET, DATABASE_URL: database },
      cwd,
      stdin: async () => '',
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
    },
  )
  return { code, out: out.join(''), err: err.join('') }
}
const json = async (line: string, algorithms: SigningAlgorithm[]) =>
  JSON.parse((await ostiary(`${line} --json`, algorithms)).out)
const stored = () => postgresStorage(place.executor)('default').keys.list()
const findings = async (algorithms: SigningAlgorithm[]) => {
  const { checks } = await json('doctor --offline', algorithms)
  return checks
    .filter(({ check }: { check: string }) => check === 'keys')
    .map(({ status, message, advice }: Record<string, string>) =>
      [status, message, advice?.split('. ')[0]].filter(Boolean).join(' | '),
    )
}

describe.sequential('A realm with RS256, which adds ES256 and EdDSA', () => {
  it('has one key, which keys rotate replaces without naming an algorithm', async () => {
    expect((await ostiary('keys list', ['RS256'])).out).toMatch(/^KID +ALG .*\n\S{43} +RS256 +\S+Z +\S+Z\n$/)
    expect((await ostiary('keys rotate', ['RS256'])).out).toMatch(/^\S{43} is published and signs from/)
    expect(await ostiary('keys rotate --alg ES256', ['RS256'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--alg: give one of oidc.keys.algorithms: RS256'),
    })
    expect(await findings(['RS256'])).toEqual([
      'ok | of realm default: 2; the current one has signed for 0 days',
    ])
  })

  it('doctor names the algorithm without a key, and makes none', async () => {
    expect(await findings(['RS256', 'ES256'])).toEqual([
      'ok | of realm default (RS256): 2; the current one has signed for 0 days',
      'note | realm default has none for ES256 yet | Its first use creates one, which signs at once',
    ])
    expect((await stored()).map(({ alg }) => alg)).toEqual(['RS256', 'RS256'])
  })

  it('keys list makes them, and keys rotate needs the algorithm', async () => {
    const all: SigningAlgorithm[] = ['RS256', 'ES256', 'EdDSA']
    const { keys } = await json('keys list', all)
    expect(keys.map(({ alg }: KeyInfo) => alg).toSorted()).toEqual(['ES256', 'EdDSA', 'RS256', 'RS256'])
    expect(await ostiary('keys rotate', all)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--alg: give one of oidc.keys.algorithms: RS256, ES256, EdDSA'),
    })
    const rotated = await json('keys rotate --alg ES256', all)
    expect(rotated).toMatchObject({ alg: 'ES256', signs_from: rotated.created_at + 3600 })
    expect((await stored()).filter(({ alg }) => alg === 'ES256')).toHaveLength(2)
  })

  it('keys revoke replaces a key by one of its algorithm', async () => {
    const all: SigningAlgorithm[] = ['RS256', 'ES256', 'EdDSA']
    const [key] = (await stored()).filter(({ alg }) => alg === 'EdDSA')
    const { keys } = await JSON.parse((await ostiary(`keys revoke --yes --json -- ${key?.kid}`, all)).out)
    const left = keys.filter(({ alg }: KeyInfo) => alg === 'EdDSA')
    expect(left).toHaveLength(1)
    expect(left[0].kid).not.toBe(key?.kid)
  })

  it('doctor names the algorithm of an old key, and keys of an algorithm that is no longer listed', async () => {
    await place.executor.query(
      `update oidc_signing_keys set signs_from = signs_from - 200 * 86400 where alg = 'ES256'`,
    )
    expect(await findings(['RS256', 'ES256'])).toEqual([
      'ok | of realm default (RS256): 2; the current one has signed for 0 days',
      'note | the one of realm default (ES256) has signed for 199 days | Run ostiary keys rotate --alg ES256.',
      'note | realm default has a key for EdDSA, which is not in oidc.keys.algorithms | It signs nothing',
    ])
  })
})

it('servers that use a new realm at the same time make one key of each algorithm', async () => {
  const url = await migratedDatabase()
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  const all: SigningAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA']
  const lists = await Promise.all(Array.from({ length: 4 }, () => ostiary('keys list --json', all, url)))
  const keys = await postgresStorage(executor)('default').keys.list()
  await executor.close()
  expect(keys.map(({ alg }) => alg).toSorted()).toEqual(all.toSorted())
  const kids = keys.map(({ kid }) => kid).toSorted()
  for (const { out } of lists)
    expect(
      JSON.parse(out)
        .keys.map(({ kid }: KeyInfo) => kid)
        .toSorted(),
    ).toEqual(kids)
})
