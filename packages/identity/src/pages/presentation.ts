import type { Language } from './language.js'
import type { ResolvedTheme } from './theme.js'

/** How a page looks, and in which language it is. */
export interface Presentation {
  theme: ResolvedTheme
  language: Language
  /** Names the request in the log: on pages that say that something failed. Null where the host gives requests no id. */
  reference: string | null
}
