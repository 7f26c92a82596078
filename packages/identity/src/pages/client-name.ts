/**
 * The name of a client, as the pages show it: a name of the operator as it is, a name that the client chose itself in quotation
 * marks, and before such a name the host that publishes the client's metadata, which the client cannot choose freely.
 */

import type { ClientOrigin } from '@ostiary/core'
import { type Html, html } from './html.js'
import type { Language } from './language.js'

export interface NamedClient {
  client_id: string
  client_name: string
  origin: ClientOrigin
}

/** How many characters are shown of a name that the client chose itself. */
const MAX_OWN_NAME_CHARACTERS = 60

/** For a sentence. The quotation marks keep the name from passing for the page's text. */
export function clientName(language: Language, client: NamedClient): Html {
  const { text, quoted } = displayName(client)
  const name = html`<bdi>${text}</bdi>`
  if (!quoted) return name
  const own_name = language.markup('application.quoted', { name })
  const host = clientHost(client)
  return host === null
    ? own_name
    : language.markup('application.of_host', { host: html`<bdi>${host}</bdi>`, name: own_name })
}

/** The messages about one application. */
type AboutClient =
  | 'consent.heading'
  | 'device.asks'
  | 'sign_out.asked_by'
  | `sign_in.${'back' | `${'' | 'again_' | 'stronger_'}for_application`}`

/** A sentence that names the client. */
export const namingClient = (language: Language, key: AboutClient, client: NamedClient): Html =>
  language.markup(key, { application: clientName(language, client) })

/** The same as plain text. */
export function clientNameText(language: Language, client: NamedClient): string {
  const { text, quoted } = displayName(client)
  if (!quoted) return text
  const name = language.text('application.quoted', { name: text })
  const host = clientHost(client)
  return host === null ? name : language.text('application.of_host', { host, name })
}

/** The host, with a port, of a client_id that is the URL of the client's metadata, in ASCII; null for any other client. */
export const clientHost = ({
  client_id,
  origin,
}: Pick<NamedClient, 'client_id' | 'origin'>): string | null =>
  origin === 'metadata_document' ? new URL(client_id).host : null

function displayName({ client_id, client_name, origin }: NamedClient) {
  const name = client_name.trim() || client_id
  if (origin === 'operator') return { text: name, quoted: false }
  // Quotation marks in the name would end the quotation.
  const characters = [...name.replace(/["“”„‟‚‘«»‹›「」『』]/g, "'")]
  const cut = characters.length > MAX_OWN_NAME_CHARACTERS
  const kept = characters
    .slice(0, MAX_OWN_NAME_CHARACTERS - 1)
    .join('')
    .trimEnd()
  return { text: cut ? `${kept}…` : characters.join(''), quoted: true }
}
