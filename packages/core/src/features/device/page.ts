/** `/device`: the user enters the code that a device shows, and answers its request. RFC 8628 §3.3, §5.4. */

import { accessDenial, NO_REQUEST, refusedPage } from '../../authorize/access.js'
import { userSession } from '../../authorize/session.js'
import { OAuthError } from '../../http/errors.js'
import { type Params, refuseRepeated } from '../../http/params.js'
import type { Context } from '../../realm/context.js'
import type { CatalogReason } from '../../refusals/hints.js'
import { form, query } from '../../request/read-params.js'
import { refusal } from '../../request/refusal.js'
import { answerDevice } from './answer.js'
import { askDevice, confirmedClient } from './confirmation.js'
import { countGuess } from './limits.js'
import { plainDevicePage } from './plain-page.js'
import type { DevicePage } from './prompts.js'
import { findUserCode } from './requests.js'
import { DEVICE_PATH, devicePageUrl } from './urls.js'
import { parseUserCode, shownUserCode } from './user-code.js'

/** A code in the query only fills the field: the user compares it with the device, and sends it. */
export async function devicePage(c: Context): Promise<Response> {
  if (c.request.method !== 'POST')
    return shown(c, { page: 'code', user_code: filled(query(c)), problem: null })
  const params = await form(c)
  refuseRepeated(params)
  const confirmation_token = params.get('confirmation_token')
  if (confirmation_token === null) return enterCode(c, params)
  const answered = await answerDevice(c, params, confirmation_token)
  return answered === null ? refused(c, 'expired', 'bad_device_confirmation') : shown(c, answered)
}

const filled = (params: Params): string | null => {
  const user_code = parseUserCode(params.get('user_code') ?? '')
  return user_code === null ? null : shownUserCode(user_code)
}

/** The code is looked up for a signed-in user only: a stranger learns nothing about it. */
async function enterCode(c: Context, params: Params): Promise<Response> {
  const signedIn = await userSession(c)
  if (signedIn === null) return askSignIn(c, params)
  const release = await countGuess(c, signedIn.session.sub)
  const user_code = parseUserCode(params.get('user_code') ?? '')
  const waiting = await findUserCode(c, user_code)
  const client = waiting && (await confirmedClient(c, waiting.request))
  if (user_code === null || waiting === null || client === null)
    return refused(c, 'unknown', 'unknown_user_code')
  await release()
  const denied = await accessDenial(c, client, signedIn)
  if (denied !== null) return refusedPage(c, denied, { client, user: signedIn.user, ...NO_REQUEST })
  return shown(c, await askDevice(c, { user_code, waiting, client, signedIn }))
}

/** After the sign-in, the page has the code in its field again. */
function askSignIn(c: Context, params: Params): Promise<Response> {
  const user_code = filled(params)
  const path = user_code === null ? DEVICE_PATH : `${DEVICE_PATH}?${new URLSearchParams({ user_code })}`
  return shown(c, { page: 'sign_in', return_to: { path } })
}

const shown = (c: Context, page: DevicePage): Promise<Response> =>
  (c.interactions.device ?? plainDevicePage)({
    ...page,
    realm: c.realm,
    action: devicePageUrl(c.realm),
    ui_locales: [],
    request: c.request,
  })

const STATUS = { unknown: 400, expired: 403 }

/** The page that asks for the code, again: the same for codes that are unknown, expired or answered. */
async function refused(c: Context, problem: keyof typeof STATUS, reason: CatalogReason): Promise<Response> {
  const error = new OAuthError('access_denied', 'The code or the page is not valid any more', { reason })
  c.emit({ type: 'request.refused', route: 'oidc.device', ...refusal(c, error) })
  const { body, headers } = await shown(c, { page: 'code', user_code: null, problem })
  return new Response(body, { status: STATUS[problem], headers })
}
