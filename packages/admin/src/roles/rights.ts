/** What each role may do: the only table of rights. */

/** What the admin API reads and writes. Each area has two scopes, `admin.<area>:read` and `admin.<area>:write`. */
export const AREAS = ['clients', 'users', 'consents', 'sessions', 'keys', 'audit', 'realms', 'roles'] as const
/** An area of the admin API. */
export type Area = (typeof AREAS)[number]

/** Write implies read. */
export type Access = 'read' | 'write'

/** The roles, the weakest first; `auditor` is apart from the others. */
export const ROLES = ['auditor', 'support', 'manager', 'owner'] as const
/** A role of an administrator. */
export type Role = (typeof ROLES)[number]

/** By role and area; null for no right. */
export const RIGHTS: Readonly<Record<Role, Readonly<Record<Area, Access | null>>>> = {
  auditor: {
    clients: 'read',
    users: 'read',
    consents: 'read',
    sessions: 'read',
    keys: 'read',
    audit: 'read',
    realms: 'read',
    roles: 'read',
  },
  support: {
    clients: null,
    users: 'write',
    consents: 'write',
    sessions: 'write',
    keys: null,
    audit: null,
    realms: null,
    roles: null,
  },
  manager: {
    clients: 'write',
    users: 'write',
    consents: 'write',
    sessions: 'write',
    keys: null,
    audit: null,
    realms: null,
    roles: null,
  },
  owner: {
    clients: 'write',
    users: 'write',
    consents: 'write',
    sessions: 'write',
    keys: 'write',
    audit: 'write',
    realms: 'write',
    roles: 'write',
  },
}

/** Whether a right is enough for an access. */
export const permits = (right: Access | null, access: Access): boolean =>
  right === 'write' || right === access

/** Whether a role may do all that another one may. */
export const includesRole = (role: Role, other: Role): boolean =>
  AREAS.every((area) => {
    const wanted = RIGHTS[other][area]
    return wanted === null || permits(RIGHTS[role][area], wanted)
  })

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)
