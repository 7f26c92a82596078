/** The section of the account page for devices: clients that have got their access there (RFC 8628). */

import { withdrawForm } from './account-sections.js'
import type { AccessView, ClientView, SectionContext } from './account-view.js'
import { clientName } from './client-name.js'
import { type Html, html } from './html.js'

/** Access that no consent and no session of a browser has given. */
const isOfDevicesAlone = ({ consented, grants }: AccessView): boolean =>
  !consented && grants.every(({ in_session }) => !in_session)

/** The clients without the access that the section of the devices shows. */
export const withoutDevices = (clients: readonly ClientView[]): ClientView[] =>
  clients
    .map((client) => ({ ...client, access: client.access.filter((one) => !isOfDevicesAlone(one)) }))
    .filter(({ access }) => access.length > 0)

export function devicesSection(c: SectionContext): Html | false {
  const rows = c.view.clients.flatMap((client) =>
    client.access.flatMap(({ grants, value }) =>
      grants.filter(({ in_session }) => !in_session).map(({ since }) => ({ client, value, since })),
    ),
  )
  if (rows.length === 0) return false
  const { text } = c.language
  return html`<section aria-labelledby="devices">
<h2 id="devices">${text('devices.title')}</h2>
<p class="aside">${text('devices.effect')}</p>
<ul class="rows">
${rows.map((row, index) => deviceRow(c, row, `device-${index}`))}
</ul>
</section>`
}

interface DeviceRow {
  client: ClientView
  /** The resource in the form. */
  value: string
  since: number
}

function deviceRow(c: SectionContext, { client, value, since }: DeviceRow, id: string): Html {
  const { language, times } = c
  const label = language.text('access.withdraw')
  return html`<li>
<div>
<h3 id="${id}">${clientName(language, client)}</h3>
<p>${language.markup('devices.since', { day: times.day(since) })}</p>
</div>
${withdrawForm(c, { client_id: client.client_id, resource: value, label, about: id })}
</li>`
}
