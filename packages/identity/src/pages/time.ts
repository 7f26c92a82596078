/** Dates and times as the pages show them. */

import { type Html, html } from './html.js'

export interface TimeFormats {
  /** Date and time to the minute, with the time zone. @param seconds Epoch seconds. */
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

/** Formats for one time zone. @param zoneinfo The user's claim (OpenID Connect Core §5.1); UTC when it is not a time zone. */
export function timesIn(zoneinfo: unknown): TimeFormats {
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
