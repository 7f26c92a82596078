/**
 * Seconds since the sign-in of a browser, within which the user does not sign in again: half of what the admin API accepts, so that the
 * sign-in is good for as long again.
 */
export const MAX_AGE = 1800
