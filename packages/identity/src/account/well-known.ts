/** Documents that lead a password manager to the account page. A well-known URL belongs to an origin: a realm with a path has none. */

import type { PageContext } from '../sign-in/context.js'
import { hasPasswords } from '../sign-in/passwords-of.js'
import { ACCOUNT_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'

const isSingle = ({ realm }: PageContext): boolean => realm.path === ''

export const hasChangePassword = (c: PageContext): boolean => isSingle(c) && hasPasswords(c)

export const getChangePassword = async ({ realm }: PageContext): Promise<Response> =>
  seeOther(`${urlIn(realm, ACCOUNT_PATH)}#password`)

export const hasPasskeyEndpoints = (c: PageContext): boolean =>
  isSingle(c) && c.factors !== null && c.factors.settings.passkeys !== null

export async function getPasskeyEndpoints({ realm }: PageContext): Promise<Response> {
  const ways = `${urlIn(realm, ACCOUNT_PATH)}#ways`
  return Response.json(
    { enroll: ways, manage: ways },
    { headers: { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' } },
  )
}
