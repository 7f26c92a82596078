/** The name of a client, as the pages show it. */

import { type Html, html } from './html.js'
import type { Language } from './language.js'

export interface NamedClient {
  client_id: string
  client_name: string
  self_registered: boolean
}

/** How many characters are shown of a name that comes from a dynamic registration. */
const MAX_SELF_REGISTERED_NAME_CHARACTERS = 60

/** For a sentence. The name of a client that registered itself is quoted, so that it cannot pass for the page's text. */
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

function displayName({ client_id, client_name, self_registered }: NamedClient) {
  const name = client_name.trim() || client_id
  if (!self_registered) return { text: name, quoted: false }
  // Quotation marks in the name would end the quotation.
  const characters = [...name.replace(/["“”„‟‚‘«»‹›「」『』]/g, "'")]
  const cut = characters.length > MAX_SELF_REGISTERED_NAME_CHARACTERS
  const kept = characters
    .slice(0, MAX_SELF_REGISTERED_NAME_CHARACTERS - 1)
    .join('')
    .trimEnd()
  return { text: cut ? `${kept}…` : characters.join(''), quoted: true }
}
