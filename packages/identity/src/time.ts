/** Moments as a person reads them. */

import { type Html, html } from './html.js'

/** @param zoneinfo The person's time zone (OpenID Connect Core §5.1), if it is one; UTC otherwise, and the zone is named. */
export function timeFormat(zoneinfo: unknown): (seconds: number) => Html {
  const format = zoned(typeof zoneinfo === 'string' ? zoneinfo : 'UTC')
  return (seconds) => {
    const moment = new Date(seconds * 1000)
    return html`<time datetime="${moment.toISOString()}">${format.format(moment)}</time>`
  }
}

function zoned(timeZone: string): Intl.DateTimeFormat {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const
  const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  try {
    return new Intl.DateTimeFormat('en-GB', { ...day, ...hour, timeZone })
  } catch {
    return zoned('UTC')
  }
}
