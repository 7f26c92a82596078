/** What the authorization endpoint would answer. */

import { type Act, apiPath, type Fact, type Field, linesIn } from '@ostiary/console'
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

const PROMPTS = ['none', 'login', 'consent', 'select_account']

/** Of no verifier: a simulation redeems no code. */
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export function tryAuthorization(c: OwnVisit, client: ShownClient, user: TypedUser) {
  const { html, text, form } = c
  const wrong = linesIn(form.get('parameters') ?? '').filter((line) => line.indexOf('=') < 1)
  const faults = [
    ...userFaults(c, user, false),
    ...wrong.map((line) => ({ pointer: 'parameters', message: text('try.parameter_wrong', { line }) })),
  ]
  return {
    intro: html`<p>${text('try.authorization_lead')}</p>`,
    fields: fieldsOf(c),
    values: {
      user: user.typed,
      redirect_uri: client.redirect_uris[0] ?? '',
      scope: usualScopes(client),
      pkce: '1',
    },
    faults,
    button: text('try.title'),
    deed: (value) => request(c, { client, user }, value),
    done: ({ body }, again) => again(answered(c, client, body as AuthorizationAnswer)),
  } satisfies Omit<Act, 'area' | 'back' | 'title'>
}

function fieldsOf(c: OwnVisit): Field[] {
  const { text } = c
  const prompts = PROMPTS.map((each) => [each, each] as const)
  return [
    userField(c, text('try.user_hint')),
    levelField(c),
    {
      name: 'redirect_uri',
      label: text('try.redirect_uri'),
      hint: text('try.redirect_uri_hint'),
      max_length: 2048,
    },
    scopeField(c),
    resourceField(c),
    { name: 'prompt', label: 'prompt', kind: 'select', choices: [['', text('try.no_prompt')], ...prompts] },
    { name: 'pkce', label: text('try.pkce'), kind: 'checkbox' },
    {
      name: 'parameters',
      label: text('try.parameters'),
      hint: text('try.parameters_hint'),
      kind: 'lines',
      pointers: ['parameters', '/parameters'],
    },
  ]
}

/** The parameters of the fields, and the lines, which replace them. */
function parametersOf(value: Value): Map<string, string[]> {
  const pkce = value('pkce') === '1'
  const fields = [
    ['response_type', 'code'],
    ...['redirect_uri', 'scope', 'resource', 'prompt'].map((name) => [name, value(name).trim()]),
    ['code_challenge', pkce ? CODE_CHALLENGE : ''],
    ['code_challenge_method', pkce ? 'S256' : ''],
  ].filter(([, text]) => text !== '')
  const lines = linesIn(value('parameters')).map((line) => {
    const equals = line.indexOf('=')
    return [line.slice(0, equals), line.slice(equals + 1)]
  })
  const typed = new Set(lines.map(([name]) => name))
  const parameters = new Map<string, string[]>()
  for (const [name = '', text = ''] of [...fields.filter(([name]) => !typed.has(name)), ...lines])
    parameters.set(name, [...(parameters.get(name) ?? []), text])
  return parameters
}

function request(c: OwnVisit, { client, user }: { client: ShownClient; user: TypedUser }, value: Value) {
  const { client_id } = client
  const sent = [...parametersOf(value)]
  const session = user.sub === null ? null : sessionOf(user.sub, value('level'))
  const parameters = Object.fromEntries(
    sent.map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
  )
  const options: Option[] = [
    ...sent.flatMap(([name, texts]) => texts.map((text): Option => ['parameter', `${name}=${text}`])),
    ...(session?.options ?? []),
  ]
  return {
    call: {
      method: 'POST',
      path: apiPath(c, 'simulate', 'authorization'),
      body: { client_id, parameters, ...session?.body },
    } as const,
    commands: [{ name: 'simulate authorization', args: [client_id], options }],
  }
}

interface AuthorizationAnswer extends Outcome {
  scopes: readonly string[] | null
  user_is_active: boolean | null
}

function answered(c: OwnVisit, client: ShownClient, answer: AuthorizationAnswer) {
  const { html, text } = c
  const { scopes, user_is_active } = answer
  const facts: Fact[] = scopes === null ? [] : [[text('try.scope'), codesOf(c, scopes)]]
  const inactive = user_is_active === false && html`<p class="note warning">${text('try.inactive')}</p>`
  return outcomeSection(c, { client, answer, facts, more: inactive })
}
