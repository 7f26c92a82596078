/** One result of `diagnose`. */
export interface RedisFinding {
  /** `note`: a server works, but its operator should know this. `fault`: it does not start, or does not work correctly. */
  status: 'ok' | 'note' | 'fault'
  /** The state of Redis, in one sentence without a full stop. */
  message: string
  /** What to do about it. */
  advice?: string
}

export const note = (message: string, advice: string): RedisFinding => ({ status: 'note', message, advice })

export const fault = (message: string, advice: string): RedisFinding => ({ status: 'fault', message, advice })

/** The code of a system error, looked up in its causes too; empty when there is none. */
export const codeOf = (error: unknown): string => {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  if (errors?.[0] !== undefined) return codeOf(errors[0])
  return cause === undefined ? '' : codeOf(cause)
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
