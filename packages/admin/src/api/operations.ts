/** All operations: the router, the OpenAPI document and the tests of rights are made from this list. */

import { OPERATION_KIT } from './kit.js'
import type { Operation } from './operation.js'
import { ACCESS } from './operations/access.js'
import { AUDIT } from './operations/audit.js'
import { CLIENT_DOCUMENTS } from './operations/client-documents.js'
import { CLIENTS } from './operations/clients.js'
import { INVITATION } from './operations/invitation.js'
import { LINKS } from './operations/links.js'
import { REGISTRATION } from './operations/registration.js'
import { ROLE_OPERATIONS } from './operations/roles.js'
import { THROTTLES } from './operations/throttles.js'
import { UPSTREAMS } from './operations/upstreams.js'
import { USER_ACCESS } from './operations/user-access.js'
import { USERS } from './operations/users.js'
import { WAYS_IN } from './operations/ways-in.js'
import { dryRunQuery } from './schemas.js'

/** Each is about a realm, or about the server, and each write can be tried. */
const placed = ({ path, ...operation }: Operation): Operation => ({
  ...operation,
  path: operation.of_server ? path : `/realms/{realm}${path}`,
  ...(operation.access === 'write' && { query: dryRunQuery(operation.query) }),
})

const ROWS: readonly Operation[] = [
  ...CLIENTS,
  ...CLIENT_DOCUMENTS,
  ...REGISTRATION,
  ...UPSTREAMS,
  ...USERS,
  ...USER_ACCESS,
  ...WAYS_IN,
  ...LINKS,
  ...INVITATION,
  ...ACCESS,
  ...THROTTLES,
  ...ROLE_OPERATIONS,
  ...AUDIT,
]

/** One of another package, or a function that makes some. */
export type Further = Operation | ((kit: typeof OPERATION_KIT) => readonly Operation[])

/** @param further Those that other packages bring. */
export const allOperations = (further: readonly Further[] = []): Operation[] => {
  const others = further.flatMap((each) => (typeof each === 'function' ? each(OPERATION_KIT) : each))
  return [...ROWS, ...others].map(placed)
}
