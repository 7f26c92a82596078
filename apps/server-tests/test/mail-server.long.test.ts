/** Mails for which the mail server, or the server itself, fails at first. The next attempt follows after ten seconds. */

import { once } from 'node:events'
import { eventually } from '@ostiary/test-kit/eventually'
import type { ReceivedMail } from '@ostiary/test-kit/mail/smtp'
import { USERNAME } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import { askForMail, linkIn, mailWorld } from './mail-world.ts'

vi.setConfig({ testTimeout: 300_000 })

describe('a mail server', () => {
  it('that speaks TLS alone, and refuses the first attempt, gets the mail', async () => {
    const { smtp, server } = await mailWorld({ tls: 'implicit', greylist: true })
    expect((await askForMail(server.issuer, USERNAME)).status).toBe(303)
    await eventually(() => expect(server.logged('mail.failed')).toMatchObject([{ reason: 'smtp_451' }]))
    await eventually(() => expect(smtp.mails).toHaveLength(1), { seconds: 120 })
  })

  it('that dies in the middle of the mail gets it again, with the same link', async () => {
    const { smtp, server } = await mailWorld({ dies_in_data: true })
    await askForMail(server.issuer, USERNAME)
    await eventually(() => expect(smtp.mails.length).toBeGreaterThan(0), { seconds: 120 })
    expect(new Set(smtp.mails.map(linkIn)).size).toBe(1)
    expect((await fetch(linkIn(smtp.mails[0] as ReceivedMail))).status).toBe(200)
  })
})

it('a mail that was asked for from a server that is killed is sent by the next one', async () => {
  const { smtp, server, start } = await mailWorld({ greylist: true })
  await askForMail(server.issuer, USERNAME)
  await eventually(() => expect(server.logged('mail.failed')).toHaveLength(1))
  const ended = once(server.child, 'exit')
  server.child.kill('SIGKILL')
  await ended
  await start(Number(new URL(server.issuer).port))
  await eventually(() => expect(smtp.mails).toHaveLength(1), { seconds: 120 })
  expect((await fetch(linkIn(smtp.mails[0] as ReceivedMail))).status).toBe(200)
})
