/** What a start says in the log. */

import { describe, expect, it } from 'vitest'
import { createLog } from '../src/index.ts'
import { logSync, warnOfOtherPort } from '../src/process/start-up.ts'
import { configure, FILE } from './support.ts'

describe('an issuer whose port is not the port of the server', () => {
  const warnings = async (issuer: string, env: Record<string, string>) => {
    const config = await configure({ ...FILE, app: { url: issuer } }, env)
    const lines: Record<string, unknown>[] = []
    warnOfOtherPort(config, createLog({ write: (line) => lines.push(JSON.parse(line)) }))
    return lines
  }

  it('on this machine: one warning, with both', async () => {
    expect(await warnings('http://localhost:3000', { PORT: '4000' })).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'the issuer (app.url) has another port than the server listens on (PORT), and every link leads there: set one to the other, unless another program forwards that port',
        issuer: 'http://localhost:3000',
        port: 4000,
      }),
    ])
    expect(await warnings('http://127.0.0.1', { PORT: '4000' })).toHaveLength(1)
  })

  it.each([
    ['the same port', 'http://localhost:4000', '4000'],
    ['port 80, which the address leaves out', 'http://localhost', '80'],
    ['https, so behind a proxy', 'https://localhost:8443', '4000'],
    ['another machine', 'https://id.example.com', '4000'],
  ])('no warning: %s', async (_, issuer, PORT) => {
    expect(await warnings(issuer, { PORT })).toEqual([])
  })
})

it('a configured password that is not the stored one: whose it is, and what changes it', async () => {
  const config = await configure(
    {
      ...FILE,
      users: [{ username: 'ann', password_env: 'ANN_PASSWORD' }],
    },
    { ANN_PASSWORD: 'a passphrase of ann' },
  )
  const none = { created: 0, updated: 0, unchanged: 0 }
  const lines: Record<string, unknown>[] = []
  logSync(config, {
    log: createLog({ write: (line) => lines.push(JSON.parse(line)) }),
    synced: { default: { clients: none, users: none, revoked: [], other_passwords: ['users.0'] } },
  })
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    expect.objectContaining({
      msg: 'the configured password of this user differs from the stored one, which stays; ostiary user set-password changes it',
      realm: 'default',
      path: 'users.0',
      username: 'ann',
    }),
  ])
})
