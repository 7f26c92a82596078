/** The paths of an upstream, below the realm. */

import type { Realm } from '@ostiary/core'

const STEPS = {
  /** A form of the sign-in page begins here. */
  start: '/login/upstream/',
  /** The redirect URI. */
  callback: '/login/callback/',
} as const

type Step = keyof typeof STEPS

const METHODS: Readonly<Record<Step, readonly string[]>> = { start: ['POST'], callback: ['GET', 'POST'] }

export const startPath = ({ path }: Realm, id: string): string => path + STEPS.start + id
export const redirectUri = ({ urls }: Realm, id: string): string => urls.issuer + STEPS.callback + id
/** The page of the sign-in. */
export const loginPath = ({ path }: Realm): string => `${path}/login`

/** What a path below the realm is for; null for another one. */
export function pathStep(path: string): { id: string; step: Step; methods: readonly string[] } | null {
  for (const step of ['start', 'callback'] as const)
    if (path.startsWith(STEPS[step]))
      return { id: path.slice(STEPS[step].length), step, methods: METHODS[step] }
  return null
}
