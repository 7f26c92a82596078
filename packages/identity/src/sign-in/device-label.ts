import { deviceOf } from '@ostiary/messages'

/** The browser and its system, by name; empty when neither is known. */
export function deviceLabel({ headers }: Request): string {
  const { browser, system } = deviceOf(headers.get('user-agent'))
  return [browser, system].filter((name) => name !== null).join(', ')
}
