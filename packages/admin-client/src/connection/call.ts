/** A request to the admin API. */
export interface AdminCall {
  method: string
  /** Below `/admin/api/v1`: it begins with a slash. */
  path: string
  query?: Record<string, string>
  /** Sent as JSON; nothing when absent. */
  body?: unknown
  headers?: Record<string, string>
}

/** The answer of the admin API, with a status below 400. */
export interface AdminAnswer {
  status: number
  headers: Headers
  /** The JSON document; null for an empty answer. */
  body: unknown
}
