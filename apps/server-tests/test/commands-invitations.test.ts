/** `ostiary user invite` and `user invitations`; they run in this process. */

import { personTag, sha256 } from '@ostiary/core'
import { setPassword } from '@ostiary/identity'

import { postgresStores } from '@ostiary/storage-postgres'
import type { CleanUp } from '@ostiary/test-kit/database'
import { configFor, SECRET } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import { createSealer } from '../../../packages/identity/src/web/sealed.ts'
import { database, makeAnn, type QuickOptions } from './commands.ts'

vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

const MAILING = (identity: object = {}) => ({
  config: {
    ...configFor('http://localhost:8080/callback')(3000),
    identity: { mail: { from: 'id@example.com', ...identity } },
  },
})

async function place(addCleanup: CleanUp) {
  const made = await database(addCleanup)
  const { tickets, mails } = postgresStores(made.executor)
  const sealer = createSealer({ secret: SECRET }, 'mail')
  return {
    ...made,
    tickets: tickets('default'),
    bob: () => made.users.findByUsername('bob@example.com'),
    invite: (more = '', options: QuickOptions = MAILING()) =>
      made.quick(`user invite bob@example.com${more}`, options),
    /** What waits to be sent. */
    waiting: async () =>
      (await mails.page({ limit: 9 })).map(
        ({ data, realm, mail_id }) => sealer.open(data, [realm, mail_id])?.value,
      ),
  }
}

const isoIn = (seconds: number) =>
  new Date((Math.floor(Date.now() / 1000) + seconds) * 1000).toISOString().slice(0, 10)
const WEEK = 604_800

describe('user invite', () => {
  it.concurrent('creates a user without a password, and queues a mail; it prints no link', async ({
    onTestFinished,
  }) => {
    const { invite, bob, tickets, waiting, quick } = await place(onTestFinished)
    const { code, stdout, stderr, events } = await invite(
      ' --claim name=Bob --claim locale=fr --group staff --attribute level=3',
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^username +bob@example\.com$/m)])
    expect(stdout).toMatch(new RegExp(`^expires +${isoIn(WEEK).slice(0, 7)}`, 'm'))
    expect(stdout + stderr).not.toContain('/login/ticket')
    expect(stderr).toContain('A running server mails the link.')
    const user = await bob()
    const sub = user?.sub ?? ''
    expect(user).toMatchObject({
      password_hash: null,
      claims: { email: 'bob@example.com', name: 'Bob', locale: 'fr' },
      groups: ['staff'],
      attributes: { level: 3 },
    })
    const ticket = await tickets.findOf(sub, 'invite')
    expect((ticket?.expires_at ?? 0) - (ticket?.created_at ?? 0)).toBe(WEEK)
    expect(await waiting()).toMatchObject([{ kind: 'invite', sub, to: 'bob@example.com', language: 'fr' }])
    expect(events).toMatchObject([{ command: 'user invite', subject: { sub, username: 'bob@example.com' } }])
    expect(JSON.stringify(events)).not.toContain('login/ticket')

    const shown = await quick('user show bob@example.com')
    expect(shown.stdout).toContain(
      `Invited until: ${new Date((ticket?.expires_at ?? 0) * 1000).toISOString().replace('.000Z', 'Z')}`,
    )
    expect(shown.stdout).toContain('Signs in with: password no, passkeys 0')
    const json = JSON.parse((await quick('user show bob@example.com --json')).stdout)
    expect(json.invited_until).toBe(ticket?.expires_at)
  })

  it.concurrent('prints a link once with --print, and where the realm mails nothing', async ({
    onTestFinished,
  }) => {
    const { invite, bob, tickets, waiting, json, quick } = await place(onTestFinished)
    const printed = await invite(' --print')
    const link = /^link +(\S+)$/m.exec(printed.stdout)?.[1] ?? ''
    expect(link).toMatch(/^http:\/\/localhost:3000\/login\/ticket\?t=[\w-]{45}$/)
    expect(printed.stderr).toContain('The link is not shown again')
    const hashOf = (url: string, sub: string) =>
      sha256(new URL(url).searchParams.get('t') ?? '') + personTag(sub)
    const sub = (await bob())?.sub ?? ''
    expect((await tickets.find(hashOf(link, sub)))?.purpose).toBe('invite')

    const again = await json('user invite bob@example.com', quick)
    expect(again).toEqual({
      sub,
      username: 'bob@example.com',
      email: 'bob@example.com',
      link: expect.stringMatching(/\/login\/ticket\?t=/),
      expires_at: expect.any(Number),
      mailed: false,
      again: true,
    })
    expect([await tickets.find(hashOf(link, sub)), await waiting()]).toEqual([null, []])
  })

  it.concurrent('again sends another link, says so, and corrects the address', async ({ onTestFinished }) => {
    const { quick, users, waiting } = await place(onTestFinished)
    const invited = (address: string) => quick(`user invite ${address} --username bob`, MAILING())
    expect((await invited('bob@exmaple.com')).code).toBe(0)
    const again = await invited('bob@example.com')
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('bob was invited before: a former link has ended.'),
    ])
    expect(await users.findByUsername('bob')).toMatchObject({ claims: { email: 'bob@example.com' } })
    expect(await waiting()).toHaveLength(2)
  })

  it.concurrent('a limit that is reached says when to try again, and changes nothing', async ({
    onTestFinished,
  }) => {
    const { invite, bob, quick, waiting } = await place(onTestFinished)
    const options = MAILING({ per_hour: 1 })
    // In one hour, or at its end in two: then the second one of the next hour is refused.
    await quick('user invite cem@example.com', options)
    await quick('user invite dan@example.com', options)
    const before = await waiting()
    const { code, stdout, stderr } = await invite('', options)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /the mails of this hour are used up, and nothing was done\. Try again in \d+ min$/m,
    )
    expect([await bob(), await waiting()]).toEqual([null, before])
    expect((await invite(' --print', options)).code).toBe(0)
  })

  it.concurrent('refuses what is no address, a user of the configuration, and one who can sign in', async ({
    onTestFinished,
  }) => {
    const { quick, invite, users, bob } = await place(onTestFinished)
    for (const [line, sentence] of [
      ['user invite bob', 'give one address'],
      ['user invite bob@example.com,eve@example.com', 'give one address'],
      ['user invite bob@example.com --claim email=eve@example.com', 'the address is the argument'],
      ['user invite bob@example.com --claim nothing=1', 'with the name of a standard claim'],
    ] as const)
      expect(await quick(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(await bob()).toBeNull()
    await makeAnn(users)
    const ann = await quick('user invite ann@example.com --username ann')
    expect([ann.code, ann.stderr]).toEqual([1, expect.stringContaining('ann is in the configuration')])
    expect(ann.stderr).toContain('ostiary user recovery-link')
    await invite()
    const sub = (await bob())?.sub ?? ''
    await setPassword(users, { sub, password: 'a password of bob' })
    expect(await invite()).toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
    await quick('user disable bob@example.com')
    expect(await invite()).toMatchObject({ code: 1, stderr: expect.stringContaining('is disabled') })
    expect((await invite(' --realm other')).code).toBe(3)
  })
})

describe('user invitations', () => {
  it.concurrent('lists those that were not used, in pages, and no secret; the deletion of the user takes one back', async ({
    onTestFinished,
  }) => {
    const { quick, users, tickets, json } = await place(onTestFinished)
    for (const name of ['bob', 'cem', 'dan', 'eve'])
      await quick(`user invite ${name}@example.com --username ${name} --print`)
    const dan = await users.findByUsername('dan')
    await setPassword(users, { sub: dan?.sub ?? '', password: 'a password of dan' })
    const eve = await tickets.findOf((await users.findByUsername('eve'))?.sub ?? '', 'invite')
    if (eve) await tickets.put({ ...eve, created_at: 1, expires_at: 2 })
    const { invitations, next } = await json('user invitations', quick)
    expect(next).toBeNull()
    // Dan has a password, and the link of Eve has expired.
    expect(invitations.map(({ username }: { username: string }) => username).sort()).toEqual(['bob', 'cem'])
    expect(invitations).toContainEqual({
      sub: expect.any(String),
      username: 'bob',
      email: 'bob@example.com',
      created_at: expect.any(Number),
      expires_at: expect.any(Number),
    })
    const { stdout } = await quick('user invitations')
    expect(stdout).toMatch(/^SUB +USERNAME +EMAIL +INVITED +EXPIRES$/m)
    expect(stdout).toMatch(/ bob +bob@example\.com /m)
    expect(stdout).not.toContain(eve?.ticket_hash)
    const first = await json('user invitations --limit 1', quick)
    const second = await json(`user invitations --limit 9 --after ${first.next}`, quick)
    expect([...first.invitations, ...second.invitations]).toEqual(invitations)

    await quick('user delete bob --yes')
    await quick('user disable cem')
    expect((await json('user invitations', quick)).invitations).toEqual([])
  })
})
