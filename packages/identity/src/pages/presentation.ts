import type { Language } from './language.js'
import type { ResolvedTheme } from './theme.js'

/** How a page looks, and in which language it is. */
export interface Presentation {
  theme: ResolvedTheme
  language: Language
}
