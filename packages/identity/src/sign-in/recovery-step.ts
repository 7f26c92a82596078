import { TICKET_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { withCookies } from './complete-sign-in.js'
import type { RecoveryContext } from './context.js'
import type { RecoveryState } from './recovery-state.js'

/** Shows the step that follows from the state. The address of that page does not contain the ticket. */
export function redirectToFlow({ recovery, realm, now }: RecoveryContext, state: RecoveryState): Response {
  const cookie = recovery.states.write(state, realm, now())
  return withCookies(seeOther(urlIn(realm, TICKET_PATH)), [cookie])
}
