const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** A time of the command line in epoch seconds: ISO 8601, in UTC without an offset, or an age such as `24h`. Null for another text. */
export function timeOf(text: string, now_ms: number): number | null {
  const age = /^(\d{1,6})([mhd])$/.exec(text)
  if (age) return Math.floor(now_ms / 1000) - Number(age[1]) * (SECONDS[age[2] ?? ''] ?? 0)
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)) return null
  const has_zone = text.length === 10 || /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const ms = Date.parse(has_zone ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}
