/** The cookies of the console. On https, the prefix `__Host-` keeps other subdomains from setting them. */

/** One cookie. */
export interface Cookie {
  name: string
  /** Null when the browser sends none of the right shape. */
  read(request: Request): string | null
  /** @param max_age In seconds; 0 removes it. */
  write(value: string, max_age: number): string
}

interface CookieOptions {
  name: string
  /** Matches the whole value. */
  shape: RegExp
  same_site: 'Strict' | 'Lax'
}

export function createCookie(origin: string, { name, shape, same_site }: CookieOptions): Cookie {
  const is_secure = origin.startsWith('https:')
  const full = is_secure ? `__Host-${name}` : name
  return {
    name: full,
    read(request) {
      for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
        const text = pair.trim()
        const value = text.slice(full.length + 1)
        if (text.startsWith(`${full}=`) && shape.test(value)) return value
      }
      return null
    },
    write: (value, max_age) =>
      `${full}=${value}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=${same_site}${is_secure ? '; Secure' : ''}`,
  }
}

/** The session. No request of another site has it. */
export const sessionCookie = (origin: string): Cookie =>
  createCookie(origin, {
    name: 'ostiary_console',
    shape: /^[\w-]{43}\.(?:0|[1-9]\d{0,2})$/,
    same_site: 'Strict',
  })

/** The sign-in in progress. Another provider may send the browser back to it, cross-site. */
export const signInCookie = (origin: string): Cookie =>
  createCookie(origin, { name: 'ostiary_console_sign_in', shape: /^[\w-]+$/, same_site: 'Lax' })
