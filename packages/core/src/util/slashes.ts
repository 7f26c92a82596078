/** Paths may be written with or without slashes at their ends; they are compared without. */

/** The path without leading and trailing slashes. By index: `/^\/+|\/+$/g` takes quadratic time on a run of slashes. */
export function trimSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (start < end && path[start] === '/') start += 1
  while (end > start && path[end - 1] === '/') end -= 1
  return path.slice(start, end)
}
