/** The rules of the console, after those of the sign-in, whose variables they use. */

const css = String.raw

export const RULES = css`
.console {
  display: grid; grid-template-columns: 15rem minmax(0, 1fr); align-items: start; justify-content: stretch; padding: 0; font-size: .9375rem;
  background: linear-gradient(90deg, var(--ostiary-surface) calc(15rem - 1px), var(--ostiary-line) calc(15rem - 1px) 15rem, var(--ostiary-background) 15rem);
}
.console main { max-width: 72rem; padding: 2rem clamp(1.25rem, 4vw, 3rem) 4rem; background: none; border: 0; border-radius: 0; box-shadow: none; }
.console main:focus { outline: none; }
.skip { position: absolute; inset-inline-start: 1rem; top: -10rem; z-index: 1; padding: .5rem 1rem; background: var(--ostiary-surface); border-radius: var(--ostiary-control-radius); }
.skip:focus { top: 1rem; }

.side {
  position: sticky; top: 0; display: flex; flex-direction: column; gap: 1rem; min-height: 100vh; min-height: 100dvh; padding: 1.25rem .875rem;
}
.side .brand { margin: 0; padding: .25rem .5rem; color: var(--ostiary-text); }
.side .realm { margin: 0; padding: 0 .5rem; }
.side .realm summary { min-height: 2rem; text-decoration: none; gap: .375rem; color: var(--ostiary-text); }
.side ul { margin: 0; padding: 0; list-style: none; }
.side li a { display: flex; align-items: center; min-height: 2.25rem; padding: .25rem .625rem; border-radius: .5rem; color: var(--ostiary-text); text-decoration: none; font-weight: 500; }
.side li a:hover { background: var(--ostiary-background); }
.side li a[aria-current] { background: var(--ostiary-background); color: var(--ostiary-accent); font-weight: 600; }
.side .aside { font-size: .8125rem; }
.who { gap: .625rem; margin: auto 0 0; padding: .875rem .5rem 0; border-top: 1px solid var(--ostiary-line); }
.who p { display: grid; }

.console .title { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; }
.console h1 { display: flex; flex-wrap: wrap; gap: .625rem; align-items: center; font-size: 1.625rem; }
.console h2 { margin: 0 0 .625rem; font-size: 1.0625rem; font-weight: 650; color: var(--ostiary-text); letter-spacing: -.005em; }
.console .command h2 { margin: .875rem 0 0; font-size: .8125rem; font-weight: 600; color: var(--ostiary-muted); }
.lead { margin-top: .375rem; color: var(--ostiary-muted); max-width: 42rem; }
.trail { margin-bottom: .625rem; font-size: .875rem; color: var(--ostiary-muted); }
.actions, .buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.console section { margin-top: 2.25rem; }
.console .note { margin-top: 1rem; max-width: 42rem; }
.console .note p + p { margin-top: .25rem; font-weight: 400; }

.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: .375rem .9375rem;
  border: 1px solid transparent; border-radius: var(--ostiary-control-radius); background: var(--ostiary-accent);
  color: var(--ostiary-accent-text); font-weight: 600; text-decoration: none;
}
.button:hover { background: var(--ostiary-accent-hover); color: var(--ostiary-accent-text); }
.button.quiet { background: var(--ostiary-surface); border-color: var(--ostiary-line); color: var(--ostiary-text); }
.button.quiet:hover { border-color: var(--ostiary-field-line); color: var(--ostiary-text); }
.console button { width: auto; min-height: 2.5rem; padding: .375rem .9375rem; }
.console button.quiet { background: var(--ostiary-surface); border-color: var(--ostiary-line); }
.console button.compact { min-height: 2.25rem; padding: .25rem .75rem; font-size: .875rem; justify-self: start; }
.button.danger, .console button.danger { background: var(--ostiary-danger); border-color: transparent; color: var(--ostiary-danger-surface); }
.button.danger:hover, .console button.danger:hover { background: var(--ostiary-text); color: var(--ostiary-surface); }

.search { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1.25rem 0 1rem; }
.search > div { flex: 1 1 14rem; max-width: 26rem; }
.console input:not([type="hidden"]):not([type="checkbox"]):not([type="radio"]), .console textarea, .console select {
  display: block; width: 100%; min-height: 2.5rem; padding: .4375rem .75rem; border: 1px solid var(--ostiary-field-line);
  border-radius: var(--ostiary-control-radius); background: var(--ostiary-field); color: inherit; font: inherit;
}
.console label { font-size: .875rem; }

.list, .cards a, .connect pre, .console .facts, .danger-zone, .command { border: 1px solid var(--ostiary-line); border-radius: .75rem; background: var(--ostiary-surface); }
.console main pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; line-height: 1.55; }
.console pre code { font-size: inherit; }
.list { width: 100%; border-collapse: separate; border-spacing: 0; overflow: hidden; }
.list th { padding: .5rem .875rem; text-align: start; font-size: .8125rem; font-weight: 600; color: var(--ostiary-muted); background: var(--ostiary-background); border-bottom: 1px solid var(--ostiary-line); }
.list th { overflow-wrap: normal; }
.list td { padding: .625rem .875rem; border-bottom: 1px solid var(--ostiary-line); vertical-align: baseline; }
.list tbody tr:last-child td { border-bottom: 0; }
.list tbody tr:hover td { background: color-mix(in srgb, var(--ostiary-background) 55%, transparent); }
.list a { font-weight: 600; text-decoration: none; }
.list a:hover { text-decoration: underline; }
.list bdi { font-weight: inherit; }
.console a bdi, .console small bdi { font-weight: inherit; color: inherit; }
.list code, .facts code { font-size: .8125rem; }
.list time, .list .nowrap { white-space: nowrap; }
.list + .list, .list + p { margin-top: 1rem; }
.aside + .list { margin-top: .75rem; }
.empty-line { color: var(--ostiary-muted); }
.more { margin-top: 1rem; }

.below { margin-top: 1.25rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; margin: 1.5rem 0 0; padding: 0; list-style: none; max-width: 54rem; }
.cards a { display: grid; align-content: start; gap: .25rem; height: 100%; padding: 1.125rem 1.25rem; color: var(--ostiary-muted); text-decoration: none; }
.cards a:hover { border-color: var(--ostiary-accent); }
.connect pre { max-width: 54rem; margin: .75rem 0 0; padding: 1rem 1.125rem; }

.pill { display: inline-block; max-width: 100%; overflow: clip; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; padding: .0625rem .5625rem; border: 1px solid var(--ostiary-line); border-radius: 1rem; font-size: .8125rem; line-height: 1.5; font-weight: 550; letter-spacing: 0; color: var(--ostiary-muted); background: var(--ostiary-surface); }
.pill.good { color: var(--ostiary-text); }
.pill.good::before { content: "" / ""; display: inline-block; width: .5rem; height: .5rem; margin-inline-end: .375rem; border-radius: 50%; background: #1f8a4c; }
.pill.bad { color: var(--ostiary-danger); background: var(--ostiary-danger-surface); border-color: currentcolor; }

.empty { margin-top: 1.25rem; padding: 2.25rem 1.5rem; text-align: center; background: var(--ostiary-surface); border: 1px dashed var(--ostiary-field-line); border-radius: .75rem; }
.empty p { max-width: 34rem; margin-inline: auto; color: var(--ostiary-muted); }
.empty p + p { margin-top: .375rem; }
.empty .button { margin-top: .75rem; }
.console .facts { grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1rem 1.5rem; margin: 1.5rem 0 0; padding: 1.125rem 1.25rem; }
.console .facts dt { font-size: .8125rem; }
.facts .pill { white-space: normal; overflow-wrap: anywhere; }
.console .facts dd { margin-top: .125rem; font-weight: 500; }
.facts bdi { font-weight: inherit; }
.danger-zone { padding: 1.125rem 1.25rem; }
.danger-zone p { color: var(--ostiary-muted); }
.danger-zone .button { margin-top: .25rem; }

.act { max-width: 34rem; gap: 1.125rem; margin-top: 1.25rem; }
.intro { max-width: 42rem; margin-top: .75rem; color: var(--ostiary-muted); }
.intro p + p { margin-top: .25rem; }
.effects { max-width: 34rem; margin-top: 1.25rem; padding: .875rem 1.125rem; border: 1px solid var(--ostiary-line); border-inline-start: 3px solid var(--ostiary-danger); border-radius: .5rem; background: var(--ostiary-surface); }
p.effects { border-inline-start-color: var(--ostiary-line); color: var(--ostiary-muted); }
.effects ul { margin: .375rem 0 0; padding-inline-start: 1.25rem; font-weight: 600; }
.check { display: grid; grid-template-columns: auto 1fr; gap: .125rem .625rem; align-items: baseline; }
.check label { margin: 0; }
.console .check input { width: 1.125rem; height: 1.125rem; min-height: 0; accent-color: var(--ostiary-accent); align-self: center; }
.check .hint, .check .fault { grid-column: 2; margin: 0; }
.fault { margin-top: .375rem; color: var(--ostiary-danger); font-size: .875rem; }
textarea[aria-invalid="true"] { border-color: var(--ostiary-danger); }
.buttons .switch { margin: 0; }
.once { max-width: 42rem; margin: 1.25rem 0; }
.once input { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.command { max-width: 46rem; margin-top: 2rem; padding: .25rem 1.125rem; }
.command[open] { padding-bottom: 1.125rem; }
.command pre { margin: .375rem 0 0; padding: .75rem .875rem; border-radius: .5rem; background: var(--ostiary-background); }

@media (max-width: 56rem) {
  .console { display: block; background: var(--ostiary-background); }
  .side { position: static; min-height: 0; flex-flow: row wrap; align-items: center; gap: .5rem 1rem; padding: .75rem 1rem; background: var(--ostiary-surface); border-bottom: 1px solid var(--ostiary-line); }
  .side nav { order: 3; flex: 1 1 100%; }
  .side nav ul { display: flex; flex-wrap: wrap; gap: .25rem; }
  .who { order: 2; display: flex; align-items: center; margin: 0; margin-inline-start: auto; padding: 0; border: 0; }
  .who p { display: none; }
  .console main { padding: 1.25rem 1rem 3rem; }
}
@media (max-width: 40rem) {
  .list, .list tbody, .list tr, .list td { display: block; }
  .list thead { display: none; }
  .list tr { padding: .625rem .875rem; border-bottom: 1px solid var(--ostiary-line); }
  .list tr:last-child { border-bottom: 0; }
  .list td { display: flow-root; padding: .125rem 0 .125rem 7.25rem; border: 0; }
  .list td::before { content: attr(data-label); float: left; width: 6.75rem; margin-left: -7.25rem; padding-top: .125rem; color: var(--ostiary-muted); font-size: .8125rem; }
  .list time { white-space: normal; }
  .list .pill { padding-inline: .375rem; font-size: .75rem; }
  .list tbody tr:hover td { background: none; }
}
@media (prefers-color-scheme: dark) { .pill.good::before { background: #4cc38a; } }
@media (forced-colors: active) { .button, .pill { border-color: ButtonText; } }
`
