/** The form that changes a client: its name, its addresses, and who may use it. */

import { type Act, apiPath, linesIn, pathOf, protectionNote, type ReadRecord } from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { actsForUsers, type ReadClient, type ShownClient } from './client.js'
import { ADDRESSES, fieldsOf, type Option, ruleFieldsOf, type Value } from './fields.js'

const hasAddresses = ({ grant_types }: ShownClient): boolean => grant_types.includes('authorization_code')

/** What forms of a client have in common. */
export const common = (c: OwnVisit, { client_id, protection }: ReadClient) =>
  ({
    area: 'clients',
    back: pathOf(c, 'clients', client_id),
    refused: protectionNote(c, protection),
  }) as const

/** A client that is its document is changed there. */
export const describedNote = ({ html, text }: OwnVisit, { origin }: ShownClient): Html | null =>
  origin === 'metadata_document' ? html`<p class="note done">${text('client.document')}</p>` : null

export async function edit(c: OwnVisit, { record: client, etag }: ReadRecord<ReadClient>): Promise<Act> {
  const { html, text } = c
  const parts = common(c, client)
  const { settings } = await c.realmOf(c.realm)
  const rules = actsForUsers(client) ? ruleFieldsOf(c, client, settings.acr_values_supported) : []
  const refused = parts.refused ?? describedNote(c, client)
  return {
    ...parts,
    refused,
    title: text('word.edit'),
    intro: html`<p><code>${client.client_id}</code></p>`,
    fields: [...fieldsOf(c, hasAddresses(client)), ...rules],
    values: {
      client_name: client.client_name,
      redirect_uris: client.redirect_uris.join('\n'),
      post_logout_redirect_uris: client.post_logout_redirect_uris.join('\n'),
      allowed_groups: (client.allowed_groups ?? []).join('\n'),
      required_acr: client.required_acr ?? '',
      consent_required: client.consent_required ? '1' : '',
    },
    kept: { etag },
    button: text('word.save'),
    asks: (value) => opened(c, client, value),
    deed: (value) => change(c, client, value),
    done: () => `${parts.back}?done=client_changed`,
  }
}

/** A member with another value than before, as a request and as a command have it. */
interface Change {
  member: readonly [name: string, value: unknown]
  options: readonly Option[]
}

/** A member, and the option of the command. */
type Names = readonly [member: string, option: string]

/** A text. An empty one is the default. */
function changedText([name, option]: Names, former: string, typed: string): Change[] {
  if (typed === former) return []
  if (typed === '') return [{ member: [name, null], options: [['unset', option]] }]
  return [{ member: [name, typed], options: [[option, typed]] }]
}

/** A list. An empty one is the default. */
function changedList([name, option]: Names, former: readonly string[], typed: readonly string[]): Change[] {
  if (typed.join('\n') === former.join('\n')) return []
  if (typed.length === 0) return [{ member: [name, null], options: [['unset', option]] }]
  return [{ member: [name, typed], options: typed.map((each) => [option, each]) }]
}

/** Only what is another value than before. */
function change(c: OwnVisit, client: ShownClient, value: Value) {
  const lists = hasAddresses(client) ? ADDRESSES : []
  const changes = [
    ...changedText(['client_name', 'name'], client.client_name, value('client_name')),
    ...lists.flatMap((names) => {
      const { [names[0]]: former } = client
      return changedList(names, former, linesIn(value(names[0]), former))
    }),
    ...(actsForUsers(client) && hasRules(c) ? changedRules(client, value) : []),
  ]
  return {
    call: {
      method: 'PATCH',
      path: apiPath(c, 'clients', client.client_id),
      body: Object.fromEntries(changes.map(({ member }) => member)),
      if_match: value('etag'),
    } as const,
    commands: [
      {
        name: 'client update',
        args: [client.client_id],
        options: changes.flatMap(({ options }) => options),
      },
    ],
  }
}

/** Asks before a client that has groups is open to all users. */
function opened(c: OwnVisit, { client_id, allowed_groups }: ShownClient, value: Value) {
  const { html, text } = c
  const groups = allowed_groups?.join(', ') ?? ''
  if (groups === '' || !hasRules(c) || linesIn(value('allowed_groups')).length > 0) return null
  return { confirm: client_id, shown: html`<p class="note warning">${text('client.opens', { groups })}</p>` }
}

/** Whether the form that was sent has the rules. Without the field, the groups stay: none of them would allow every user. */
const hasRules = ({ request, form }: OwnVisit): boolean =>
  request.method !== 'POST' || form.has('allowed_groups')

function changedRules(client: ShownClient, value: Value): Change[] {
  const { allowed_groups, required_acr, consent_required } = client
  const groups = allowed_groups ?? []
  const asks = value('consent_required') === '1'
  const consent: Change = {
    member: ['consent_required', asks],
    options: [['consent-required', String(asks)]],
  }
  return [
    ...changedList(['allowed_groups', 'allowed-group'], groups, linesIn(value('allowed_groups'), groups)),
    ...changedText(['required_acr', 'required-acr'], required_acr ?? '', value('required_acr')),
    ...(asks === consent_required ? [] : [consent]),
  ]
}
