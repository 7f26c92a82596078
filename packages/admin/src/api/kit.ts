/** What operations of other packages are made of, as those of this one: they get it from `createAdmin`, and load none of it again. */

import { heldRealms } from '../roles/decide.js'
import { pageOfList } from './page.js'
import { requireAbsent, requireMatch, requireNoneNamed } from './preconditions.js'
import { notFound } from './problem.js'
import { OVERWRITE, PAGE, pageOf } from './schemas.js'

export const OPERATION_KIT = {
  OVERWRITE,
  PAGE,
  heldRealms,
  notFound,
  pageOf,
  pageOfList,
  requireAbsent,
  requireMatch,
  requireNoneNamed,
}
