/** One result of `diagnose`. */
export interface DatabaseFinding {
  /** `note`: a server works, but its operator should know this. `fault`: it does not start, or does not work correctly. */
  status: 'ok' | 'note' | 'fault'
  /** The state of the database or of the clock, in one sentence without a full stop. */
  message: string
  /** What to do about it. */
  advice?: string
}

export const fault = (message: string, advice: string): DatabaseFinding => ({
  status: 'fault',
  message,
  advice,
})
