/** What one look has found. */
export interface Check {
  /** What was looked at. */
  check: 'configuration' | 'port' | 'issuer' | 'data folder' | 'database' | 'clock' | 'redis' | 'keys'
  status: 'ok' | 'note' | 'fault'
  /** What is so. */
  message: string
  /** What to do about it. */
  advice?: string
}

type Name = Check['check']
export const ok = (check: Name, message: string): Check => ({ check, status: 'ok', message })
export const note = (check: Name, message: string, advice?: string): Check => ({
  check,
  status: 'note',
  message,
  ...(advice !== undefined && { advice }),
})
export const fault = (check: Name, message: string, advice: string): Check => ({
  check,
  status: 'fault',
  message,
  advice,
})

export const codeOf = (error: unknown): string => {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  if (errors?.[0] !== undefined) return codeOf(errors[0])
  return cause === undefined ? '' : codeOf(cause)
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
