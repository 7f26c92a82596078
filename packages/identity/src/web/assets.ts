/** Texts that browsers read. `scripts/page-assets.mjs` shortens them in a build; they contain no value and no backslash. */

/** Rules of the style sheet. */
export const css = String.raw

/** A script. */
export const script = String.raw
