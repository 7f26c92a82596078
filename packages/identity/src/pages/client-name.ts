/** What a client calls itself, as pages show it. */

import { type Html, html } from './html.js'

export interface NamedClient {
  client_id: string
  client_name: string
  self_registered: boolean
}

/** Characters of a name that the client has chosen when it registered itself. */
const MAX_SELF_REGISTERED_NAME_CHARACTERS = 60

/** In a sentence of a page: a stranger's name stands in quotation marks, or it could pass for words of ours. */
export function clientName(client: NamedClient): Html {
  const { text, quoted } = displayName(client)
  return quoted ? html`“<bdi>${text}</bdi>”` : html`<bdi>${text}</bdi>`
}

/** The same where there is no markup. */
export function clientNameText(client: NamedClient): string {
  const { text, quoted } = displayName(client)
  return quoted ? `“${text}”` : text
}

function displayName({ client_id, client_name, self_registered }: NamedClient) {
  const name = client_name.trim() || client_id
  if (!self_registered) return { text: name, quoted: false }
  // One of its own would close ours.
  const characters = [...name.replace(/["“”„‟«»]/g, "'")]
  const cut = characters.length > MAX_SELF_REGISTERED_NAME_CHARACTERS
  const kept = characters
    .slice(0, MAX_SELF_REGISTERED_NAME_CHARACTERS - 1)
    .join('')
    .trimEnd()
  return { text: cut ? `${kept}…` : characters.join(''), quoted: true }
}
