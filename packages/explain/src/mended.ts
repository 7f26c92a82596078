/** Whether the cause of a refusal is gone. Then what to do is done, and the user or the application goes on. */

import type { AuditRow } from '@ostiary/audit'
import { dataOf } from '@ostiary/audit/rows'
import type { Client } from '@ostiary/core'
import type { User } from '@ostiary/identity'

/** What is known when the story is told. */
export interface StoryNow {
  client: Client | null
  user: User | null
  /** Epoch seconds. */
  now: number
  /** The newest rows of the user after the refusal. */
  since(): Promise<AuditRow[]>
}

interface Mending {
  /** Whether the records of now say it. */
  is?(now: StoryNow, refused: AuditRow): boolean
  /** Whether a row since says it. */
  by?(row: AuditRow, refused: AuditRow): boolean
  /** What is so now, and who does what next. */
  told: string
}

/** Seconds that a limit of sign-ins lasts at most: login.window, and the limits of codes. */
const LONGEST_LIMIT = 86_400

const SET_PASSWORD = /^(?:account|recovery)\.password_(?:set|changed|reset)$/

const MENDINGS: Readonly<Record<string, Mending>> = {
  disabled: {
    is: ({ user }) => user?.disabled_at === null,
    told: 'the user is enabled again, and can sign in',
  },
  no_password: {
    is: ({ user }) => Boolean(user?.password_hash),
    told: 'the user has a password now, and can sign in',
  },
  wrong_password: {
    // A sign-in may store another hash of the same password.
    by: ({ type, actor, sub, data }) =>
      SET_PASSWORD.test(type) ||
      (type === 'user.update' && actor !== `sub:${sub}` && data.includes('"password_hash"')),
    told: 'the password was set since, and the user signs in with it',
  },
  throttled: {
    is: ({ now }, { time }) => now > time + LONGEST_LIMIT,
    told: 'the limit has ended, so try again. Who tried: see the address in the log',
  },
  user_in_no_allowed_group: {
    // A storage of the application may have records without these members.
    is: ({ user, client }) =>
      client !== null &&
      (!client.allowed_groups || client.allowed_groups.some((name) => user?.groups?.includes(name))),
    told: 'the user may use the client now, and signs in again',
  },
  sign_in_below_required_acr: {
    is: ({ client }) => client !== null && !client.required_acr,
    told: 'the client has no required_acr now, and the user signs in again',
  },
  wrong_method: {
    is: ({ client }, refused) =>
      client !== null &&
      (client.token_endpoint_auth_methods ?? [client.token_endpoint_auth_method]).some(
        (method) => method === dataOf(refused).used_method,
      ),
    told: 'the client may use this method now, and sends the request again',
  },
  client_requires_proof: {
    is: ({ client }) => client !== null && client.dpop_bound_access_tokens !== true,
    told: 'the client needs no proof now, and sends the request again',
  },
  revoked_grant: {
    by: ({ type, client_id }, refused) => type === 'code.issued' && client_id === refused.client_id,
    told: 'the user has signed in again since, and the application uses the new tokens',
  },
}

/** A sentence; null where nothing says it. */
export async function mendingOf(refused: AuditRow, open: () => Promise<StoryNow>): Promise<string | null> {
  const reason = `${dataOf(refused).reason}`
  const mending = Object.hasOwn(MENDINGS, reason) ? MENDINGS[reason] : undefined
  if (mending === undefined) return null
  const { is, by, told } = mending
  const now = await open()
  const is_mended = is?.(now, refused) || (by && (await now.since()).some((row) => by(row, refused)))
  return is_mended ? `Mended: ${told}.` : null
}
