/** The form that asks a provider, and what it has said. */

import { actPage, apiPath, consolePage, linkButton, pageHead, pathOf, trail } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import type { ShownUpstream, UpstreamCheck } from './upstream.js'

export function checkPage(c: OwnVisit, upstream: ShownUpstream): Promise<Response> {
  const { html, text } = c
  const { id, name } = upstream
  return actPage(c, {
    area: 'upstreams',
    title: text('check.title'),
    intro: html`<p><bdi>${name}</bdi></p><p>${text('check.lead')}</p>`,
    button: text('check.button'),
    back: pathOf(c, 'upstreams', id),
    deed: () => ({
      call: { method: 'POST', path: apiPath(c, 'upstreams', id, 'check') },
      commands: [{ name: 'upstream check', args: [id] }],
    }),
    done: ({ body }) => checkedPage(c, upstream, body as UpstreamCheck),
  })
}

/** The sentences of the API are in English. */
function checkedPage(
  c: OwnVisit,
  { id, name }: ShownUpstream,
  { asked, ready, reason, hint }: UpstreamCheck,
): Response {
  const { html, text } = c
  const title = text(ready ? 'checked.ready' : 'checked.not_ready')
  const said = ready
    ? html`<p class="note done" role="status">${text(asked ? 'checked.answers' : 'checked.not_asked')}</p>`
    : html`<div class="note" role="alert"><p lang="en">${hint}</p><p>${text('checked.reason')} <code>${reason}</code></p></div>`
  const links = html`${linkButton(c, { href: pathOf(c, 'upstreams', id, 'check'), text: text('check.again') })}
${linkButton(c, { href: pathOf(c, 'upstreams', id), text: text('check.back') })}`
  const body = html`${trail(c, [
    [pathOf(c, 'upstreams'), text('upstreams.title')],
    [pathOf(c, 'upstreams', id), name],
  ])}
${pageHead(c, { title })}
${said}
<div class="buttons below">${links}</div>`
  return consolePage(c, { title, body, area: 'upstreams' })
}
