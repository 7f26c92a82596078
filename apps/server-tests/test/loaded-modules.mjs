/** Preloaded into a server (NODE_OPTIONS). It appends the URL of each module that is loaded to the file LOADED_MODULES. */

import { register } from 'node:module'

const HOOKS = `
import { appendFileSync } from 'node:fs'
export function load(url, context, next) {
  appendFileSync(process.env.LOADED_MODULES, url + '\\n')
  return next(url, context)
}`

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`)
