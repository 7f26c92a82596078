/** How a user could sign in, and which limits are reached. */

import {
  type Act,
  apiPath,
  code,
  type Fact,
  type Field,
  factList,
  pathOf,
  table,
  timeOf,
} from '@ostiary/console'
import type { HtmlValue } from '@ostiary/identity'
import type { ShownClient } from '../clients/client.js'
import type { Option, Value } from '../clients/fields.js'
import type { OwnVisit } from '../visit.js'
import { answerSection } from './outcome.js'
import { type TypedUser, userField } from './user.js'

export function trySignIn(c: OwnVisit, _client: ShownClient, { typed }: TypedUser) {
  const { html, text, request } = c
  const is_missing = request.method === 'POST' && typed === ''
  const address: Field = {
    name: 'address',
    label: text('try.address'),
    hint: text('try.address_hint'),
    max_length: 45,
    pointers: ['/address'],
  }
  return {
    intro: html`<p>${text('try.sign_in_lead')}</p>`,
    fields: [userField(c, text('try.user_typed')), address],
    values: { user: typed },
    faults: is_missing ? [{ pointer: 'user', message: text('try.user_needed') }] : [],
    button: text('try.title'),
    deed: (value) => simulation(c, value),
    done: ({ body }, again) => again(answered(c, body as SignInAnswer)),
  } satisfies Omit<Act, 'area' | 'back' | 'title'>
}

function simulation(c: OwnVisit, value: Value) {
  const username = value('user').trim()
  const address = value('address').trim()
  const options: Option[] = [['user', username], ...(address === '' ? [] : [['address', address] as const])]
  return {
    call: {
      method: 'POST',
      path: apiPath(c, 'simulate', 'sign-in'),
      body: { username, ...(address !== '' && { address }) },
    } as const,
    commands: [{ name: 'simulate sign-in', options }],
  }
}

interface Way {
  way: string
  name: string | null
}

/** Times are epoch seconds. */
interface SignInAnswer {
  ways: readonly Way[]
  leads_to: string | null
  user: {
    is_known: boolean
    sub?: string
    username?: string
    is_disabled?: boolean
    ways?: readonly Way[]
    second_factor?: 'none' | 'asked' | 'to_be_added'
    deletes_at?: number
  } | null
  limits: readonly { limit: string; counted: number; maximum: number; until: number; is_reached: boolean }[]
}

function answered(c: OwnVisit, answer: SignInAnswer) {
  const { html, text } = c
  const { limits, leads_to } = answer
  const facts: Fact[] = [
    [text('try.offered'), waysOf(c, answer.ways)],
    ...(leads_to === null ? [] : [[text('try.leads_to'), code(c, leads_to)] as const]),
    ...userFacts(c, answer),
  ]
  const columns = [text('try.limit'), text('try.counted'), text('try.reached'), text('word.until')]
  const rows = limits.map(({ limit, counted, maximum, until, is_reached }) => [
    code(c, limit),
    `${counted} / ${maximum}`,
    yesOrNo(c, is_reached),
    timeOf(c, until),
  ])
  return answerSection(
    c,
    html`${factList(c, facts)}
${rows.length > 0 && table(c, { label: text('try.limit'), columns, rows })}`,
  )
}

const yesOrNo = ({ text }: OwnVisit, is_so: boolean | undefined): string =>
  text(is_so ? 'client.consent.yes' : 'client.consent.no')

function userFacts(c: OwnVisit, { user }: SignInAnswer): Fact[] {
  const { html, text } = c
  if (user === null) return []
  const {
    is_known,
    sub = '',
    username = '',
    is_disabled,
    ways = [],
    second_factor = 'none',
    deletes_at,
  } = user
  if (!is_known) return [[text('try.user'), text('try.no_such_user')]]
  return [
    [text('try.user'), html`<a href="${pathOf(c, 'users', sub)}"><bdi>${username}</bdi></a>`],
    [text('try.disabled'), yesOrNo(c, is_disabled)],
    [text('try.has'), waysOf(c, ways)],
    [text('try.second_factor'), text(`factor.${second_factor}`)],
    ...(deletes_at === undefined ? [] : [[text('try.deletes_at'), timeOf(c, deletes_at)] as const]),
  ]
}

const WAYS = ['password', 'passkey', 'email-code'] as const

/** One of an extension has a name, or is shown as its id. */
function waysOf({ text }: OwnVisit, ways: readonly Way[]): HtmlValue {
  const names = ways.map(({ way, name }) => {
    const known = WAYS.find((each) => each === way)
    return known === undefined ? (name ?? way) : text(`way.${known}`)
  })
  return names.length === 0 ? '–' : names.join(', ')
}
