/** The rules of these pages, after those of the console. */

const css = String.raw

export const STYLE = css`
.tries ul { display: flex; flex-wrap: wrap; gap: .375rem; margin: 1rem 0; padding: 0; list-style: none; }
.tries a { display: inline-flex; align-items: center; min-height: 2.25rem; padding: .125rem .875rem; border: 1px solid var(--ostiary-line); border-radius: 2rem; background: var(--ostiary-surface); color: var(--ostiary-text); font-weight: 500; text-decoration: none; }
.tries a:hover { border-color: var(--ostiary-field-line); }
.tries a[aria-current] { border-color: var(--ostiary-accent); color: var(--ostiary-accent); font-weight: 600; }
.answer ~ .act { margin-top: 2rem; }
.answer .note + p { margin-top: .75rem; }
.answer ~ section code { overflow-wrap: anywhere; }
.answer ~ section .list + .list { margin-top: 1rem; }
`
