/** The values of `storage` and `sessions`, apart from storage-choice.ts, which needs the schema made of them. */

/** `storage` and OSTIARY_STORAGE. */
export const STORAGES = ['database', 'memory'] as const

/** `sessions` and OSTIARY_SESSIONS: which store holds sessions when Redis is configured. */
export const SESSION_PLACES = ['database', 'redis'] as const
export type SessionPlace = (typeof SESSION_PLACES)[number]
