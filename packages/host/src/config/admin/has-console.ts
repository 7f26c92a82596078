import type { HostConfig } from '../host-config.js'
import { CONSOLE_KEY } from './admin-settings.js'

/** Whether administrators have pages: the start may have left their client out. */
export const hasConsole = ({ admin, admin_console, realms }: HostConfig): boolean =>
  admin_console === true &&
  realms[admin?.realm ?? '']?.clients.some(({ path }) => path === CONSOLE_KEY) === true
