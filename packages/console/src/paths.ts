/** The client of the console, and where it is below the origin. */

export const CONSOLE_CLIENT_ID = 'ostiary-console'

/** Its first page. */
export const CONSOLE_PATH = '/admin'

/** Where its client gets the codes. */
export const CALLBACK_PATH = `${CONSOLE_PATH}/callback`
