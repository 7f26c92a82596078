/** The fields of the forms of a client. */

import type { Field } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import type { ShownClient } from './client.js'

/** An option of a command; null for one without a value. */
export type Option = readonly [name: string, value: string | null]

/** What was typed in a field. */
export type Value = (name: string) => string

/** The lists of addresses, each with the option of the command. */
export const ADDRESSES = [
  ['redirect_uris', 'redirect-uri'],
  ['post_logout_redirect_uris', 'post-logout-redirect-uri'],
] as const

export function fieldsOf({ text }: OwnVisit, has_addresses: boolean): Field[] {
  const lines = { kind: 'lines' } as const
  const name: Field = {
    name: 'client_name',
    label: text('word.name'),
    hint: text('client.name_hint'),
    max_length: 200,
    pointers: ['/client_name'],
    is_prose: true,
  }
  const redirect: Field = {
    ...lines,
    name: 'redirect_uris',
    label: text('client.redirect_uris'),
    hint: text('client.redirect_hint'),
    pointers: ['/redirect_uris'],
  }
  const post_logout: Field = {
    ...lines,
    name: 'post_logout_redirect_uris',
    label: text('client.post_logout'),
    hint: text('client.post_logout_hint'),
    pointers: ['/post_logout_redirect_uris'],
  }
  return has_addresses ? [name, redirect, post_logout] : [name]
}

/** The rules of who may use the client, and how. @param supported `oidc.acr_values_supported` */
export function ruleFieldsOf(
  { text }: OwnVisit,
  { required_acr, trusted }: ShownClient,
  supported: readonly string[],
): Field[] {
  // One that is not supported any more stays until it is changed: another field may be.
  const former = required_acr !== null && !supported.includes(required_acr) ? [required_acr] : []
  const choices = [
    ['', text('client.acr.any')] as const,
    ...supported.map(
      (acr, place) => [acr, text(`client.acr.${place === 0 ? 'one' : 'two'}`, { acr })] as const,
    ),
    ...former.map((acr) => [acr, text('client.acr.former', { acr })] as const),
  ]
  return [
    {
      name: 'allowed_groups',
      label: text('client.groups'),
      hint: text('client.groups_hint'),
      kind: 'lines',
      pointers: ['/allowed_groups'],
    },
    {
      name: 'required_acr',
      label: text('client.acr'),
      hint: text('client.acr_hint'),
      kind: 'select',
      choices,
      pointers: ['/required_acr'],
    },
    {
      name: 'consent_required',
      label: text('client.asks_consent'),
      hint: text(trusted ? 'client.trusted_hint' : 'client.asks_consent_hint'),
      kind: 'checkbox',
      pointers: ['/consent_required'],
    },
  ]
}
