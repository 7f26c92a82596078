/** `ostiary user recovery-link`; it runs in this process. */

import { personTag, sha256 } from '@ostiary/core'
import { setDisabled } from '@ostiary/identity'
import type { CleanUp } from '@ostiary/test-kit/database'
import { describe, expect, it, vi } from 'vitest'
import { postgresStores } from '../../../packages/storage-postgres/src/index.ts'
import { database, giveGrant, makeAnn, startSession } from './commands.ts'

vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

async function withAnn(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  await makeAnn(made.users)
  await startSession(made.storage, 's-1')
  await giveGrant(made.storage, 'g-1', { offline: true })
  const tickets = postgresStores(made.executor).tickets('default')
  const ticketOf = (link: string) => {
    const secret = new URL(link).searchParams.get('t') ?? ''
    return tickets.find(sha256(secret) + personTag('ann-1'))
  }
  return { ...made, ticketOf }
}

describe('user recovery-link', () => {
  it.concurrent('prints a link of the issuer once, for an hour, and ends nothing', async ({
    onTestFinished,
  }) => {
    const { quick, json, ticketOf, storage, users } = await withAnn(onTestFinished)
    const { code, stdout, stderr } = await quick('user recovery-link ann')
    expect(code).toBe(0)
    const link = /^link +(\S+)$/m.exec(stdout)?.[1] ?? ''
    expect(link).toMatch(/^http:\/\/localhost:3000\/login\/ticket\?t=[\w-]{45}$/)
    expect(stderr).toContain('The link is not shown again')
    expect(stderr).not.toContain(link)
    const now = Math.floor(Date.now() / 1000)
    const ticket = await ticketOf(link)
    expect(ticket).toMatchObject({ purpose: 'recover', sub: 'ann-1' })
    expect(ticket?.credential_version).toBe((await users.find('ann-1'))?.credential_version)
    const { created_at = 0, expires_at = 0 } = ticket ?? {}
    expect([expires_at - created_at, now - created_at < 300]).toEqual([3600, true])
    expect(await storage.sessions.list('ann-1')).toHaveLength(1)
    expect(await storage.grants.list('ann-1', now)).toHaveLength(1)

    const newer = await json('user recovery-link --sub ann-1', quick)
    expect(newer).toEqual({
      sub: 'ann-1',
      username: 'ann',
      link: expect.stringMatching(/\/login\/ticket\?t=/),
      expires_at: expect.any(Number),
    })
    expect([await ticketOf(link), (await ticketOf(newer.link))?.sub]).toEqual([null, 'ann-1'])
  })

  it.concurrent('refuses a disabled user, an unknown one and an unknown realm', async ({
    onTestFinished,
  }) => {
    const { quick, users, executor } = await withAnn(onTestFinished)
    await setDisabled(users, { sub: 'ann-1', disabled: true })
    const { code, stdout, stderr } = await quick('user recovery-link ann')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('ann is disabled')
    expect(stderr).toContain('ostiary user enable')
    expect((await quick('user recovery-link bob')).code).toBe(3)
    expect((await quick('user recovery-link ann --realm other')).code).toBe(3)
    expect(await executor.query('select from oidc_tickets')).toEqual([])
  })
})
