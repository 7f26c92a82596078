/** What the log says of deliveries. These events are not kept in the audit, so no sink gets them. */

interface SinkFields {
  /** Epoch seconds. */
  time: number
  realm: string
  /** Of the receiver. */
  host: string
  /** The reason of the last failed attempt, as a code. */
  reason: string
  request_id?: undefined
}

/** A row was not delivered, and is sent again. */
export interface SinkFailed extends SinkFields {
  type: 'audit.sink_failed'
  /** The row. */
  audit_id: string
  /** Since the last delivery. */
  attempts: number
  /** Epoch seconds. */
  next_attempt_at: number
  /** What to do. */
  hint: string
}

/** Rows were given up. */
export interface SinkDropped extends SinkFields {
  type: 'audit.sink_dropped'
  count: number
}

/** An event of a sink. */
export type SinkEvent = SinkFailed | SinkDropped
