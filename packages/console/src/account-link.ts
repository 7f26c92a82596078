/** The link to the console on the account page of a user who administers. */

import type { Extension } from '@ostiary/identity'
import { CONSOLE_PATH } from './paths.js'
import { type Translated, translated } from './texts/texts-of.js'

/** Who gets the link. */
export interface ConsoleLinkOptions {
  /** The id of the realm of the administrators. */
  realm: string
  /** Whether the user has a role. */
  administers: (sub: string) => Promise<boolean>
}

const TITLE: Translated = ['Administration', 'Verwaltung', 'Administration']
const LINK: Translated = ['Open the console', 'Konsole öffnen', 'Ouvrir la console']

/** One of the option `extensions` of `createIdentity`. */
export const consoleLink = ({ realm, administers }: ConsoleLinkOptions): Extension => ({
  name: 'console',
  async section({ realm: { id }, user, html, language }) {
    if (id !== realm || !(await administers(user.sub))) return null
    const [tag = ''] = language.tag.split('-')
    return {
      html: html`
<section aria-labelledby="console">
<h2 id="console">${translated(TITLE, tag)}</h2>
<p><a href="${CONSOLE_PATH}">${translated(LINK, tag)}</a></p>
</section>`,
    }
  },
})
