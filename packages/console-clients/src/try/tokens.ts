/** What the tokens of a client would say about a user: each claim with where it comes from, and what is not in them. */

import { type Act, apiPath, code, section, table } from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import type { ShownClient } from '../clients/client.js'
import type { Option, Value } from '../clients/fields.js'
import type { OwnVisit } from '../visit.js'
import { codesOf, type Outcome, outcomeSection } from './outcome.js'
import {
  levelField,
  resourceField,
  scopeField,
  sessionOf,
  type TypedUser,
  userFaults,
  userField,
  usualScopes,
} from './user.js'

export function tryTokens(c: OwnVisit, client: ShownClient, user: TypedUser) {
  const { html, text } = c
  return {
    intro: html`<p>${text('try.tokens_lead')}</p>`,
    fields: [userField(c, text('try.user_or_sub')), levelField(c), scopeField(c), resourceField(c)],
    values: { user: user.typed, scope: usualScopes(client) },
    faults: userFaults(c, user, true),
    button: text('try.title'),
    deed: (value) => request(c, { client, user }, value),
    done: ({ body }, again) => again(answered(c, client, body as TokensAnswer)),
  } satisfies Omit<Act, 'area' | 'back' | 'title'>
}

function request(c: OwnVisit, { client, user }: { client: ShownClient; user: TypedUser }, value: Value) {
  const { client_id } = client
  const session = sessionOf(user.sub ?? user.typed, value('level'))
  const scopes = value('scope').split(/\s+/).filter(Boolean)
  const resource = value('resource').trim()
  const options: Option[] = [
    ...session.options,
    // The command takes no empty text.
    ['scope', scopes.join(' ') || ' '],
    ...(resource === '' ? [] : [['resource', resource] as const]),
  ]
  return {
    call: {
      method: 'POST',
      path: apiPath(c, 'simulate', 'tokens'),
      body: { client_id, ...session.body, scopes, ...(resource !== '' && { resource }) },
    } as const,
    commands: [{ name: 'simulate tokens', args: [client_id], options }],
  }
}

interface ShownToken {
  claims: readonly { name: string; value: unknown; from: string }[]
  withheld: readonly { name: string; why: string }[]
  bytes: number
  read_by: readonly string[]
}

interface TokensAnswer extends Outcome {
  scopes?: readonly string[]
  token_type?: string
  /** Seconds. */
  expires_in?: number
  refresh_token?: boolean
  id_token?: ShownToken | null
  userinfo?: ShownToken | null
  access_token?: ShownToken | null
}

function answered(c: OwnVisit, client: ShownClient, answer: TokensAnswer): Html {
  const { html, text } = c
  const { result, scopes = [], token_type = '', expires_in = 0, refresh_token } = answer
  if (result !== 'tokens') return outcomeSection(c, { client, answer, facts: [] })
  const facts = [
    [text('try.scope'), codesOf(c, scopes)],
    [text('try.token_type'), code(c, token_type)],
    [text('try.expires_in'), text('try.seconds', { count: expires_in })],
    [text('try.refresh_token'), text(refresh_token ? 'client.consent.yes' : 'client.consent.no')],
  ] as const
  return html`${outcomeSection(c, { client, answer, facts })}
${(['id_token', 'userinfo', 'access_token'] as const).map((name) => tokenSection(c, name, answer[name] ?? null))}`
}

type TokenName = 'id_token' | 'userinfo' | 'access_token'

function tokenSection(c: OwnVisit, name: TokenName, token: ShownToken | null): Html {
  const { html, text } = c
  const title = text(`token.${name}`)
  if (token === null)
    return section(
      c,
      title,
      html`<p class="aside">${text(name === 'id_token' ? 'token.no_id_token' : 'token.none')}</p>`,
    )
  const { claims, withheld, bytes, read_by } = token
  const not_in = text('token.not_in', { name: title })
  const rows = claims.map(({ name: claim, value, from }) => [
    code(c, claim),
    code(c, JSON.stringify(value)),
    sourceOf(c, from),
  ])
  return section(
    c,
    title,
    html`<p class="aside">${text('token.size', { count: bytes })} ${codesOf(c, read_by)}</p>
${table(c, { label: title, columns: [text('token.claim'), text('token.value'), text('token.from')], rows })}
${
  withheld.length > 0 &&
  table(c, {
    label: not_in,
    columns: [not_in, text('token.why')],
    rows: withheld.map(({ name: claim, why }) => [code(c, claim), html`<span lang="en">${why}</span>`]),
  })
}`,
  )
}

/** Where a claim comes from; a setting is shown as it is. */
function sourceOf(c: OwnVisit, from: string): HtmlValue {
  const { html, text } = c
  if (from === 'protocol' || from === 'application') return text(`source.${from}`)
  return from.startsWith('scope ') ? html`${text('source.scope')} ${code(c, from.slice(6))}` : code(c, from)
}
