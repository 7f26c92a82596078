/** The rules of these pages, after those of the console. */

const css = String.raw

export const STYLE = css`
.find { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem .375rem; margin: 0; padding: 0 .5rem; }
.find label { grid-column: 1 / -1; margin: 0; font-size: .8125rem; font-weight: 500; color: var(--ostiary-muted); }
.console .find input:not([type="hidden"]):not([type="checkbox"]):not([type="radio"]) { min-height: 2.25rem; padding: .25rem .625rem; font-size: .875rem; }
.console .find button { min-height: 2.25rem; padding: .25rem .625rem; font-size: .875rem; }

.list td > span > br + code, .list small, .about small { color: var(--ostiary-muted); font-weight: 400; }
.list .number { font-variant-numeric: tabular-nums; }
.list td p { margin: 0; max-width: 34rem; }
.list td p + p, .list td p.aside { margin-top: .25rem; font-size: .875rem; }
.list pre { margin: 0; max-width: 24rem; }

.filter { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: .875rem 1rem; align-items: start; margin: .875rem 0 0; }
.filter .buttons { grid-column: 1 / -1; }
.filters { max-width: none; margin-top: 1.25rem; margin-bottom: 1rem; }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; margin: 1.25rem 0 0; padding: 0; list-style: none; }
.chips a { display: inline-flex; align-items: center; min-height: 2.25rem; padding: .125rem .875rem; border: 1px solid var(--ostiary-line); border-radius: 2rem; background: var(--ostiary-surface); color: var(--ostiary-text); font-weight: 500; text-decoration: none; }
.chips a:hover { border-color: var(--ostiary-field-line); }
.chips a[aria-current] { border-color: var(--ostiary-accent); color: var(--ostiary-accent); font-weight: 600; }

.story { margin-top: 1.5rem; padding: 1.125rem 1.25rem; border: 1px solid var(--ostiary-line); border-radius: .75rem; background: var(--ostiary-surface); }
.story .about { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1rem; color: var(--ostiary-muted); font-size: .875rem; }
.steps { position: relative; margin: 0; padding: 0; list-style: none; }
.steps > li { position: relative; padding: 0 0 1.25rem 1.75rem; }
.steps > li:last-child { padding-bottom: 0; }
.steps > li::before { content: "" / ""; position: absolute; left: .25rem; top: .4375rem; width: .625rem; height: .625rem; border-radius: 50%; background: #1f8a4c; }
.steps > li.bad::before { background: var(--ostiary-danger); }
.steps > li:not(:last-child)::after { content: "" / ""; position: absolute; left: calc(.5625rem - .5px); top: 1.25rem; bottom: -.25rem; width: 1px; background: var(--ostiary-line); }
.steps .when { margin: 0; font-size: .8125rem; color: var(--ostiary-muted); }
.steps .what { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.steps .bad .what { color: var(--ostiary-danger); }
.advice { max-width: 46rem; margin: .5rem 0 0; padding: .625rem .875rem; border-inline-start: 3px solid var(--ostiary-accent); border-radius: .375rem; background: var(--ostiary-background); }
.advice strong { display: block; font-size: .8125rem; color: var(--ostiary-muted); }
.steps details { margin-top: .5rem; font-size: .875rem; }
.steps details ul { margin: .25rem 0 0; padding-inline-start: 1.25rem; }

.intro .diff { margin-top: 1rem; }
.diff + .aside { margin-top: .5rem; font-size: .875rem; }
.diff td { overflow-wrap: anywhere; }
.diff td:nth-child(2), .diff td:nth-child(3) { width: 40%; }
.diff del, .diff ins { text-decoration: none; white-space: pre-wrap; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
.diff del { color: var(--ostiary-danger); }
.diff ins { color: #17693a; }
@media (max-width: 56rem) {
  .find { flex: 1 1 100%; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; padding: 0; order: 3; }
  .find label { grid-column: auto; }
}
@media (max-width: 40rem) { .diff td:nth-child(2), .diff td:nth-child(3) { width: auto; } }
@media (prefers-color-scheme: dark) { .diff ins { color: #6fd39b; } .steps > li::before { background: #4cc38a; } }
`
