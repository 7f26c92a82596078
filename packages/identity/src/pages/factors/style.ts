import { css } from '../../web/assets.js'

/** The rules of the style sheet for passkeys, codes and the ways to sign in. */
export const FACTOR_STYLE = css`
form[data-passkey] { gap: .75rem; margin-top: 1.75rem; }
form + form[data-passkey] { margin-top: .75rem; }
.note + form[data-passkey] { margin-top: 1.25rem; }
form[data-passkey] .note { margin-top: 0; }
form[data-passkey] ~ .restart { margin-top: 1.75rem; }
p.aside + form { margin-top: 1.5rem; }
details.recovery { margin-top: 1rem; }
summary + p { margin-top: .5rem; }
.recovery > summary { font-weight: 400; font-size: .9375rem; }
.recovery form { max-width: none; }
form[data-passkey] ~ .back, .restart { margin: 1.75rem 0 -.75rem; padding-top: .75rem; border-top: 1px solid var(--ostiary-line); }
details.recovery:not([open]) + .restart { margin-top: .75rem; }
form[data-passkey] ~ .back .quiet, button.link {
  justify-self: start; width: auto; min-height: 2.75rem; padding: 0; border: 0; text-align: start; border-radius: .25rem; background: none;
  color: var(--ostiary-accent); font-weight: 400; font-size: .9375rem; text-decoration: underline; text-underline-offset: .2em;
}
form[data-passkey] ~ .back .quiet:hover, button.link:hover { background: none; color: var(--ostiary-accent-hover); }
.back .quiet bdi { font-weight: inherit; color: inherit; }
.codes {
  display: grid; grid-template-columns: max-content; justify-content: center; gap: .375rem; margin: 1.5rem 0 0; padding: 1rem 1.25rem;
  list-style: none; border: 1px solid var(--ostiary-line); border-radius: var(--ostiary-control-radius); background: var(--ostiary-field);
}
.codes code { font-size: 1rem; letter-spacing: .02em; }
.codes + form { margin-top: 1.25rem; }
.printed { display: none; }
@media print {
  main:has(.codes) > :not(.brand, .printed, .codes) { display: none; }
  .printed { display: block; }
  :is(.brand, .printed, .codes) * { color: #000; }
}
form[data-passkey] ~ .later { gap: .5rem; margin-top: .75rem; }
.later .link { justify-self: center; }
.restart + .out { margin-top: .25rem; }
.out bdi { font-weight: inherit; color: inherit; }
.qr { margin: 1.25rem auto; width: 12.5rem; max-width: 100%; }
.qr svg { display: block; width: 100%; height: auto; border: 1px solid var(--ostiary-line); border-radius: var(--ostiary-control-radius); }
.key {
  display: block; margin-top: .375rem; padding: .625rem .875rem; border: 1px solid var(--ostiary-line);
  border-radius: var(--ostiary-control-radius); color: var(--ostiary-text);
}
/* Digits at the start of a code would change places with the rest of it on a page from right to left. */
.codes code, .key, #recovery_code { direction: ltr; }
input[name="code"] { font-variant-numeric: tabular-nums; letter-spacing: .12em; }
.ways { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; margin-top: 1rem; }
.ways form { flex: 1 1 15rem; margin: 0; }
.rows + .ways { padding-top: 1rem; border-top: 1px solid var(--ostiary-line); }
section > .note { margin: 0 0 1rem; }
section > .note + .aside { margin-top: 0; }
.note.warning + .rows > li:first-child { padding-top: .25rem; }
.rows > li > div:first-child { flex: 1 1 auto; }
.rows > li > form { max-width: 100%; }
.rows > li:has(details) { align-items: flex-start; }
.rows summary { font-weight: 400; font-size: .9375rem; }
.rows details form { max-width: 24rem; margin-top: .25rem; padding-bottom: .25rem; }
.rows details form button { justify-self: start; }
.choices { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
.choices label { display: flex; align-items: center; gap: .5rem; min-height: 2.75rem; margin: 0; font-weight: 400; cursor: pointer; }
.choices input { width: 1.5rem; height: 1.5rem; min-height: 0; margin: 0; accent-color: var(--ostiary-accent); }
`
