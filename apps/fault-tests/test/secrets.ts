/** Records every secret that passes between clients, browsers and the provider, and finds them in other texts. */

import { onTestFinished } from 'vitest'

/** By kind, such as `refresh_token` or `cookie`. */
export type Secrets = Map<string, Set<string>>

/** Fields of queries, forms, pages and JSON whose value is a credential. */
const NAMES = [
  'code',
  'code_verifier',
  'access_token',
  'refresh_token',
  'id_token',
  'id_token_hint',
  'subject_token',
  'token',
  'client_secret',
  'password',
  'return_to',
  'id',
  'auth_token',
  'csrf_token',
  'confirmation_token',
  'logout_token',
  'request_uri',
]

/** Records every `fetch` of this test, without consuming the answers. */
export function overheard(): Secrets {
  const secrets: Secrets = new Map()
  const note = (kind: string, value: string) => {
    if (value !== '') secrets.set(kind, (secrets.get(kind) ?? new Set()).add(value))
  }
  const named = (pairs: Iterable<[string, unknown]>) => {
    for (const [name, value] of pairs)
      if (NAMES.includes(name) && typeof value === 'string') note(name, value.replace(/^urn:.*:/, ''))
  }
  const real = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = real
  })
  globalThis.fetch = async (input, init) => {
    if (init?.body instanceof URLSearchParams) named(init.body)
    const response = await real(input, init)
    const text = await response.clone().text()
    for (const line of response.headers.getSetCookie()) note('cookie', /=([^;]*)/.exec(line)?.[1] ?? '')
    const location = response.headers.get('location')
    if (location !== null) named(new URL(location, response.url).searchParams)
    if (text.startsWith('{')) named(Object.entries(JSON.parse(text)))
    named([...text.matchAll(/name="(\w+)" value="([^"]+)"/g)].map(([, name = '', value]) => [name, value]))
    return response
  }
  return secrets
}

/** The forms in which a secret may be stored. Half of a long one counts too: it may have been cut off. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // 256 bits; those of a person are followed by the tag.
  const [, random] = /^([\w-]{43})(?:[\w-]{2})?$/.exec(secret) ?? []
  const meant = random === undefined ? [] : [Buffer.from(random, 'base64url')]
  const encoded = [bytes, ...meant].flatMap((some) => [
    some.toString('base64').replace(/=+$/, ''),
    some.toString('base64url'),
    some.toString('hex'),
    some.toString('hex').toUpperCase(),
  ])
  const half = /^[\w-]{40,90}$/.test(secret) ? [secret.slice(0, secret.length / 2)] : []
  // A JWT is usable only with its signature.
  const signature = /^ey[\w-]+\.[\w-]+\.([\w-]+)$/.exec(secret)?.slice(1) ?? []
  return [...new Set([secret, encodeURIComponent(secret), ...encoded, ...half, ...signature])]
}

/** The kinds of the secrets that the text contains, in any form. */
export function shownIn(text: string, secrets: Secrets): string[] {
  return [...secrets].flatMap(([kind, values]) =>
    [...values].filter((value) => formsOf(value).some((form) => text.includes(form))).map(() => kind),
  )
}
