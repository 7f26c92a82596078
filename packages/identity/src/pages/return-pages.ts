import type { Realm } from '@ostiary/core'

/** The page of a device, with the code that the user has entered: where a sign-in may lead back to. */
export const isDevicePath = ({ settings }: Realm, return_to: string): boolean =>
  settings.clients.device_authorization !== 'off' &&
  /^\/device(?:\?user_code=[A-Z]{4}-[A-Z]{4})?$/.test(return_to)
