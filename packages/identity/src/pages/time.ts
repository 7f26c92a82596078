/** Dates and times as the pages show them. */

import { type Html, html } from './html.js'
import type { Language } from './language.js'

export interface TimeFormats {
  /** Date and time to the minute, with the time zone. @param seconds Epoch seconds. */
  dateAndTime(seconds: number): Html
  /** The same as text. @param seconds Epoch seconds. */
  dateAndTimeText(seconds: number): string
  /** The date. @param seconds Epoch seconds. */
  day(seconds: number): Html
  /** Whether two times, in epoch seconds, are on the same date. */
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

/** Formats for one language and time zone. @param zoneinfo The user's claim (OpenID Connect Core §5.1); UTC when it is not a time zone. */
export function timeFormats({ locale }: Language, zoneinfo: unknown): TimeFormats {
  const timeZone = typeof zoneinfo === 'string' && isTimeZone(zoneinfo) ? zoneinfo : 'UTC'
  const day = new Intl.DateTimeFormat(locale, { ...DAY, timeZone })
  const minute = new Intl.DateTimeFormat(locale, { ...MINUTE, timeZone })
  const date = (seconds: number) => new Date(seconds * 1000)
  const element = (format: Intl.DateTimeFormat) => (seconds: number) =>
    html`<time datetime="${date(seconds).toISOString()}">${format.format(date(seconds))}</time>`
  return {
    dateAndTime: element(minute),
    dateAndTimeText: (seconds) => minute.format(date(seconds)),
    day: element(day),
    sameDay: (a, b) => day.format(date(a)) === day.format(date(b)),
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
