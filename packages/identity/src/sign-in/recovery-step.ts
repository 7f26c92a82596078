import { openTicket } from '../users/invitation.js'
import type { User } from '../users/user-store.js'
import { REGAIN_PATH, TICKET_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { withCookies } from './complete-sign-in.js'
import type { PageContext, RecoveryContext } from './context.js'
import type { RecoveryState } from './recovery-state.js'

/** Shows the step that follows from the state. The address of that page does not contain the ticket. */
export function redirectToFlow({ recovery, realm, now }: RecoveryContext, state: RecoveryState): Response {
  const cookie = recovery.states.write(state, realm, now())
  return withCookies(seeOther(urlIn(realm, TICKET_PATH)), [cookie])
}

/** Shows a recovery that waits before the sign-in of its user goes on. @param response Of the sign-in. */
export async function beforeGoingOn(c: PageContext, user: User, response: Response): Promise<Response> {
  const { regain, recovery, realm } = c
  const next = response.headers.get('location')
  if (!regain || !recovery || next === null) return response
  const waiting = await openTicket(recovery.tickets, { user, purpose: 'wait' }, c.now())
  if (waiting !== null)
    response.headers.set(
      'location',
      `${urlIn(realm, REGAIN_PATH)}?${new URLSearchParams({ next: regain.seal(next) })}`,
    )
  return response
}
