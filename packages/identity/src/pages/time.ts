/** Moments as a person reads them. */

import { type Html, html } from './html.js'

export interface Times {
  /** To the minute, with the zone. Takes epoch seconds. */
  moment(seconds: number): Html
  day(seconds: number): Html
  sameDay(a: number, b: number): boolean
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const MINUTE = {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const

/** @param zoneinfo The person's time zone (OpenID Connect Core §5.1), if it is one; otherwise UTC. */
export function timesIn(zoneinfo: unknown): Times {
  const timeZone = typeof zoneinfo === 'string' && isZone(zoneinfo) ? zoneinfo : 'UTC'
  const day = new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone })
  const minute = new Intl.DateTimeFormat('en-GB', { ...MINUTE, timeZone })
  const date = (seconds: number) => new Date(seconds * 1000)
  const time = (format: Intl.DateTimeFormat) => (seconds: number) =>
    html`<time datetime="${date(seconds).toISOString()}">${format.format(date(seconds))}</time>`
  return {
    moment: time(minute),
    day: time(day),
    sameDay: (a, b) => day.format(date(a)) === day.format(date(b)),
  }
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone })
    return true
  } catch {
    return false
  }
}
