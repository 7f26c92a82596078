/** The name of a client, as the pages show it. */

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

/** For a sentence. A name that the client chose itself is quoted, so that it cannot pass for the page's text. */
export function clientName(language: Language, client: NamedClient): Html {
  const { text, quoted } = displayName(client)
  const name = html`<bdi>${text}</bdi>`
  return quoted ? language.markup('application.quoted', { name }) : name
}

/** The same as plain text. */
export function clientNameText(language: Language, client: NamedClient): string {
  const { text, quoted } = displayName(client)
  return quoted ? language.text('application.quoted', { name: text }) : text
}

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
