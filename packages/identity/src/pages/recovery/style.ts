import { css } from '../../web/assets.js'

/** The rules of the style sheet for the pages on which a user decides about factors. */
export const RECOVERY_STYLE = css`
form + details { margin-top: 1rem; }
fieldset { margin: 0; padding: 0 0 1rem; border: 0; border-bottom: 1px solid var(--ostiary-line); }
legend { padding: 0; font-weight: 600; }
fieldset p { margin: .125rem 0 .25rem; font-size: .9375rem; }
`
