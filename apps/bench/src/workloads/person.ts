/** A user's browser: it keeps cookies and posts forms. */

import type { Answer, Ask, Connection } from '../load/connection.js'
import { email, PASSWORD, type SignIn, username } from '../target.js'
import { type Job, pathOf, WrongAnswer } from './workload.js'

export interface Person {
  /** With the cookies; remembers those that are set. */
  visit(path: string, ask?: Ask): Promise<Answer>
  /** Sent along with each request. */
  cookies(): Record<string, string>
}

/** @param address The user's address: attempts to sign in are counted per address. */
export function personAt(connection: Connection, address: string): Person {
  const jar = new Map<string, string>()
  const cookies = (): Record<string, string> =>
    jar.size === 0 ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
  return {
    cookies,
    async visit(path, ask = {}) {
      const headers = { ...ask.headers, ...cookies(), 'x-forwarded-for': address }
      const answer = await connection.request(path, { ...ask, headers })
      for (const line of answer.headers('set-cookie')) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
        else jar.set(name, value)
      }
      return answer
    },
  }
}

/** The n-th address of a private network. */
export const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

/** Path and query of a Location header. */
const pathIn = (answer: Answer, origin: string): string => {
  const location = answer.header('location')
  if (location === null) throw new WrongAnswer('a redirect was expected', answer)
  const url = new URL(location, origin)
  return url.pathname + url.search
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Signs in at an authorization request, until the provider would send the browser back to the client. */
export async function signIn(
  person: Person,
  { authorize, index }: { authorize: string; index: number },
  job: Job,
): Promise<void> {
  const how = job.target.sign_in
  if (how === undefined) throw new Error('This server has no sign-in')
  await WAYS[how](person, { authorize, index }, job)
}

type Way = (person: Person, sign_in: { authorize: string; index: number }, job: Job) => Promise<void>

const WAYS: Record<SignIn, Way> = {
  ostiary: signInAtOstiary,
  'oidc-provider': signInAtOidcProvider,
  'better-auth': signInAtBetterAuth,
}

/** Authorize, the sign-in page, its form. */
async function signInAtOstiary(
  person: Person,
  { authorize, index }: { authorize: string; index: number },
  { target: { origin } }: Job,
): Promise<void> {
  const login = pathIn(await person.visit(authorize), origin)
  const page = await person.visit(login)
  const fields = new URLSearchParams({ username: username(index), password: PASSWORD })
  for (const [, name = '', value = ''] of page.body.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)">/g,
  ))
    fields.set(name, value)
  const done = await person.visit(login, {
    method: 'POST',
    headers: { ...FORM, origin },
    body: fields.toString(),
  })
  if (done.status !== 303 && done.status !== 302) throw new WrongAnswer('sign-in', done)
}

/** The interaction of its own set-up: see peers/oidc-provider.server.ts. */
async function signInAtOidcProvider(
  person: Person,
  { authorize, index }: { authorize: string; index: number },
  { target: { origin } }: Job,
): Promise<void> {
  let path = pathIn(await person.visit(authorize), origin)
  for (let step = 0; step < 8; step++) {
    if (path.startsWith('/callback')) return
    const body = new URLSearchParams({ login: username(index) }).toString()
    const answer = path.startsWith('/interaction/')
      ? await person.visit(path, { method: 'POST', headers: FORM, body })
      : await person.visit(path)
    path = pathIn(answer, origin)
  }
  throw new Error('the sign-in did not finish')
}

async function signInAtBetterAuth(
  person: Person,
  { index }: { authorize: string; index: number },
  { target }: Job,
): Promise<void> {
  const answer = await person.visit(pathOf(target, 'password'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: target.origin },
    body: JSON.stringify({ email: email(index), password: PASSWORD }),
  })
  if (answer.status !== 200) throw new WrongAnswer('sign-in', answer)
}
