/** A client's logo and links, notes about a client that describes itself, and about the host that gets the answer. */

import type { Client, ConsentPrompt } from '@ostiary/core'
import { clientHost } from './client-name.js'
import { type Html, html } from './html.js'
import type { Language } from './language.js'

/** Its name stands beside the logo, so the alternative text is empty. @param path At this server; null when there is none. */
export const clientLogo = (path: string | null): Html | false =>
  path !== null && html`<p class="logo"><img src="${path}" alt=""></p>`

/** The links of a client that an operator made: its site, its privacy policy and its terms of service. */
export function clientLinks({ text }: Language, client: Client): Html | false {
  const { origin, client_uri, policy_uri, tos_uri } = client
  const links = [
    { uri: client_uri, label: text('application.website') },
    { uri: policy_uri, label: text('application.policy') },
    { uri: tos_uri, label: text('application.terms') },
  ].filter(({ uri }) => uri !== null)
  if (origin !== 'operator' || links.length === 0) return false
  return html`<p class="small links">${links.map(
    ({ uri, label }) => html`<a href="${uri}" target="_blank" rel="noopener noreferrer">${label}</a> `,
  )}</p>`
}

/** A warning about a client that no operator has described: where its description comes from. */
export function originNote({ text, markup }: Language, client: Client): Html | false {
  if (client.origin === 'operator') return false
  const host = clientHost(client)
  const origin =
    host === null
      ? text('application.registered_itself')
      : markup('application.published_at', { host: html`<bdi>${host}</bdi>` })
  return html`<p class="note warning"><strong>${origin}</strong> ${text('application.make_sure')}</p>`
}

/** For a client whose id all its installations share: the id says nothing about the program that asks. */
export function loopbackNote(
  { text }: Language,
  { realm, client_origin, loopback_only }: Pick<ConsentPrompt, 'realm' | 'client_origin' | 'loopback_only'>,
): Html | false {
  const { reuse } = realm.settings.clients.registration
  const is_shared = client_origin === 'metadata_document' || (client_origin === 'registered' && reuse)
  if (!is_shared || !loopback_only) return false
  return html`<p class="note warning"><strong>${text('application.any_program')}</strong> ${text('application.only_if_started')}</p>`
}

/** The host of the redirect URI. @param shown As the provider shows it; taken from the URI when absent. */
export function answerTarget(
  language: Language,
  redirect_uri: string,
  shown: string = hostOf(redirect_uri),
): Html {
  const mark = targetMark(redirect_uri)
  const host = html`<bdi>${shown}</bdi>`
  return mark === null ? host : language.markup('host.marked', { host, mark: language.text(mark) })
}

function hostOf(redirect_uri: string): string {
  if (!URL.canParse(redirect_uri)) return redirect_uri
  const { protocol, host } = new URL(redirect_uri)
  if (host === '') return protocol
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`
}

function targetMark(redirect_uri: string): 'host.this_computer' | 'host.not_encrypted' | null {
  if (!URL.canParse(redirect_uri)) return null
  const { protocol, hostname } = new URL(redirect_uri)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  if (isLoopback(hostname)) return 'host.this_computer'
  return protocol === 'http:' ? 'host.not_encrypted' : null
}

/**
 * More hosts than core accepts for plain http, because this decides about a label only. `hostname` comes from the URL parser,
 * which writes every IPv4 address as four numbers.
 */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)
