/** What a request for a mail tells about the name: nothing, in its answer and in its time. */

import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { configFor, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { database } from './commands.ts'

// Two thousand requests, one after the other.
vi.setConfig({ testTimeout: 1_800_000 })

const REQUESTS_OF_EACH = 1000
const COLD = 100
/** An hour has three mails for a name. */
const NAMES = REQUESTS_OF_EACH / 2
/** The standard error of the share is 0.013. */
const HIGHEST_DEVIATION = 0.06

interface Answer {
  milliseconds: number
  answer: string
}

/** A page on which a stranger gives a name, and makes the server mail. */
interface MailPage {
  identity: object
  path: string
  field: string
  /** Further fields of the form, which are the query of the page too. */
  fields?: Record<string, string>
  /** The event of each request; null for none. */
  event: string | null
}

const PAGES: Readonly<Record<string, MailPage>> = {
  'a forgotten password': {
    identity: {},
    path: '/login/recover',
    field: 'username',
    event: 'recovery.requested',
  },
  'a recovery by mail': {
    identity: { recovery: { mail: true } },
    path: '/login/recover',
    field: 'username',
    event: 'recovery.requested',
  },
  'a sign-up': {
    identity: { signup: 'open' },
    path: '/login/signup',
    field: 'address',
    event: 'signup.started',
  },
  'a mailed code': {
    identity: { email_codes: true },
    path: '/login/code',
    field: 'username',
    fields: { return_to: '/account' },
    event: null,
  },
}

it.each(Object.entries(PAGES))(
  'known and unknown names get the same answer to a request for %s, after the same time',
  async (_, mail_page) => {
    const smtp = await startSmtp()
    onTestFinished(() => smtp.close())
    const { env, quick } = await database(onTestFinished)
    const file = join(await temporaryFolder(), 'users.jsonl')
    const password_hash = '$2b$10$CSZ2JarG4XYbGa.JkfpqnO2wrlbfp5eb5LScHSGo9XGeZ.a.Ic54S'
    const users = Array.from({ length: NAMES }, (_, index) => ({
      username: nameOf('known', index),
      email: nameOf('known', index),
      email_verified: true,
      password_hash,
    }))
    await writeFile(file, users.map((user) => JSON.stringify(user)).join('\n'))
    expect((await quick(`user import ${file}`)).code).toBe(0)
    const mail = { from: 'Example <id@example.com>', per_hour: 100_000 }
    const server = await startServer({
      config: (port: number) => ({
        ...configFor('http://127.0.0.1/callback')(port),
        identity: { mail, ...mail_page.identity },
      }),
      env: { ...env, SMTP_URL: smtp.url },
    })
    onTestFinished(async () => void (await server.stop()))

    const ask = await asker(`${server.issuer}${mail_page.path}`, mail_page)
    const times = { known: [] as number[], unknown: [] as number[] }
    const answers = new Set<string>()
    for (const [position, { kind, index }] of shuffled(requests()).entries()) {
      const { milliseconds, answer } = await ask(nameOf(kind, index % NAMES), position)
      answers.add(answer)
      // The first ones meet a server that is cold.
      if (position >= COLD) times[kind].push(milliseconds)
    }
    expect(answers.size, [...answers].join('\n')).toBe(1)
    const { event } = mail_page
    if (event !== null)
      await eventually(() => expect(server.logged(event)).toHaveLength(2 * REQUESTS_OF_EACH + COLD))
    const share = shareOfSlower(times.known, times.unknown)
    console.log(
      `known ${median(times.known).toFixed(2)} ms, unknown ${median(times.unknown).toFixed(2)} ms (medians of ${times.known.length} and ${times.unknown.length}); of all pairs, the known one is slower in ${(100 * share).toFixed(1)} %`,
    )
    expect(Math.abs(share - 0.5)).toBeLessThan(HIGHEST_DEVIATION)
  },
)

type Kind = 'known' | 'unknown'

const requests = (): { kind: Kind; index: number }[] =>
  (['known', 'unknown'] as const).flatMap((kind) =>
    Array.from({ length: REQUESTS_OF_EACH + COLD / 2 }, (_, index) => ({ kind, index })),
  )

/** The server sends the mail of one request during the next ones: these must be of either kind by chance, not in pairs. */
function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list]
  return list.map(() => left.splice(randomInt(left.length), 1)[0] as T)
}

/** All of one length. */
const nameOf = (kind: Kind, index: number): string =>
  `${kind === 'known' ? 'user' : 'nobo'}-${String(index).padStart(4, '0')}@example.com`

/** Asks for mails with the form of one page, each from an address of its own: no limit of addresses is reached. */
async function asker(url: string, { field, fields }: Pick<MailPage, 'field' | 'fields'>) {
  const page = await fetch(fields ? `${url}?${new URLSearchParams(fields)}` : url)
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec(await page.text()) ?? []
  return (username: string, position: number): Promise<Answer> => {
    const body = new URLSearchParams({ csrf_token, ...fields, [field]: username }).toString()
    const headers = {
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    }
    const localAddress = `127.1.${position >> 8}.${position & 255}`
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, localAddress, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const milliseconds = performance.now() - started
          resolve({
            milliseconds,
            answer: JSON.stringify([response.statusCode, withoutTime(response.headers), text]),
          })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

/** The date and the id of the request are of each answer, and so is what a cookie seals: its length is not. */
const withoutTime = ({
  date,
  'x-request-id': _,
  'set-cookie': cookies,
  ...headers
}: IncomingHttpHeaders) => ({
  ...headers,
  cookies: cookies?.map((cookie) => cookie.replace(/=[^;]+/, ({ length }) => `=${length}`)),
})

/** Of all pairs, the share in which the first is slower (Mann and Whitney's U): 0.5 for times that tell nothing. */
function shareOfSlower(first: readonly number[], second: readonly number[]): number {
  const pairs = first.flatMap((one) => second.map((other) => Math.sign(one - other)))
  return pairs.reduce<number>((sum, sign) => sum + (sign + 1) / 2, 0) / pairs.length
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
