/** The result of one check of `ostiary doctor`. */
export interface Finding {
  /** The part of the server that was checked. */
  check:
    | 'configuration'
    | 'port'
    | 'issuer'
    | 'data folder'
    | 'database'
    | 'clock'
    | 'redis'
    | 'keys'
    | 'passwords'
    | 'factors'
    | 'mail'
    | 'clients'
    | 'client documents'
    | 'upstreams'
    | 'sinks'
  status: 'ok' | 'note' | 'fault'
  /** The state of the part, in one sentence without a full stop. */
  message: string
  /** What to do about it. */
  advice?: string
}

type Part = Finding['check']

/** The part works as it should. */
export const ok = (check: Part, message: string): Finding => ({ check, status: 'ok', message })

/** The server works, but the operator should know this. */
export const note = (check: Part, message: string, advice?: string): Finding => ({
  check,
  status: 'note',
  message,
  ...(advice !== undefined && { advice }),
})

/** The server does not start, or does not work correctly. */
export const fault = (check: Part, message: string, advice: string): Finding => ({
  check,
  status: 'fault',
  message,
  advice,
})

/** The code of a system or driver error, looked up in its causes too; empty when there is none. */
export const codeOf = (error: unknown): string => {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  if (errors?.[0] !== undefined) return codeOf(errors[0])
  return cause === undefined ? '' : codeOf(cause)
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
