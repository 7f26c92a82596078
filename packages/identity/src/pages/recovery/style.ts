/** The rules of the style sheet for the pages on which a user decides about factors. */
export const RECOVERY_STYLE = `
fieldset { margin: 0; padding: 0 0 1rem; border: 0; border-bottom: 1px solid var(--ostiary-line); }
legend { padding: 0; font-weight: 600; }
fieldset p { margin: .125rem 0 .25rem; font-size: .9375rem; }
.choices { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
.choices label { display: flex; align-items: center; gap: .5rem; min-height: 2.75rem; margin: 0; font-weight: 400; cursor: pointer; }
.choices input { width: 1.5rem; height: 1.5rem; min-height: 0; margin: 0; accent-color: var(--ostiary-accent); }
`
