/** A list of requests, sent one after the other; browser and client keep only what is here. */

import type { createLocalJWKSet } from 'jose'

/** Values from earlier answers. */
export interface BrowserState {
  issuer: string
  /** Sent with each request, as a browser would. */
  cookies: Map<string, string>
  values: Map<string, string>
  jwks: Parameters<typeof createLocalJWKSet>[0]
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

export interface Step {
  says: string
  send(seen: BrowserState): [path: string, init?: RequestInit]
  check(answer: Answer, seen: BrowserState): void | Promise<void>
}

export const newcomer = (issuer: string): BrowserState => ({
  issuer,
  cookies: new Map(),
  values: new Map(),
  jwks: { keys: [] },
})

/** Sends a step's request over the socket, keeps the cookies, follows nothing, and checks the answer. */
export async function walk(step: Step, seen: BrowserState): Promise<void> {
  const [path, init = {}] = step.send(seen)
  const headers = new Headers(init.headers)
  headers.set('cookie', [...seen.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  const response = await fetch(new URL(path, seen.issuer), { ...init, headers, redirect: 'manual' })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) seen.cookies.delete(name)
    else seen.cookies.set(name, value)
  }
  await step.check({ status: response.status, headers: response.headers, text: await response.text() }, seen)
}
