/** A remembered device is removed: the next sign-in there asks for the second step again, so that no proof is needed. */

import { pickFields } from '../web/form.js'
import { type AccountContext, redirectWithNotice } from './context.js'

export async function forgetDevice(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  const form = pickFields(params, ['device_id'])
  const remembered = c.factors?.remembered
  if ('fault' in form || !remembered) return null
  const { sub } = c.user
  if (await remembered.store.remove(sub, form.fields.device_id))
    c.emit({ type: 'remembered_device.removed', sub })
  return redirectWithNotice(c, 'device_forgotten')
}
